import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { CUSTOM_RULE } from '../kit/console-rule-editor.ts';
import { bucket } from '../kit/export-records.ts';
import { SingleSignOn } from '../kit/single-sign-on.ts';

type Screens = readonly (readonly [path: string, heading: string])[];

/** Pages without a session. */
const OUTSIDE: Screens = [
  ['/sign-in', 'Sign in'],
  ['/register', 'Create an account'],
  ['/forgotten-password', 'Forgotten password'],
  ['/verify-email?token=t', 'Confirm your e-mail address'],
  ['/reset-password?token=t', 'Choose a password'],
  ['/accept-invite?token=t', 'Accept the invitation'],
  ['/auth/callback?error=SAML_REFUSED', 'The sign-in failed'],
];

/** The longest name that a project may have, without a place to break the line. */
const LONG_NAME = 'x'.repeat(63);

const SIZES = [
  ['320 pixels', { width: 320, height: 640 }],
  ['a zoom of 200 %', { width: 720, height: 450 }],
] as const;

/** Runs in the page: numbers in tables that are broken over two lines. */
function brokenNumbers(): string[] {
  const range = document.createRange();
  return [...document.querySelectorAll('td[data-align=end]')]
    .filter(({ textContent }) => /^[\d,]+$/.test(textContent ?? ''))
    .filter((one) => {
      range.selectNodeContents(one);
      const tops = [...range.getClientRects()].map(({ top, height }) => Math.round(top + height));
      return new Set(tops).size > 1;
    })
    .map(({ textContent }) => `the number ${textContent} is on two lines`);
}

/** Runs in the page: what cannot be reached, or seen whole, without scrolling the page sideways. */
function tooWide(): string[] {
  // A part with a scroll bar of its own may be wide. What contains the heading is the page.
  const isClipped = ({ parentElement }: Element): boolean => {
    if (parentElement === null || parentElement.querySelector('h1') !== null) return false;
    return getComputedStyle(parentElement).overflowX !== 'visible' || isClipped(parentElement);
  };
  const elements = [...document.querySelectorAll('#root *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !isClipped(one))
    .map((one) => `${one.tagName} ${one.className} ${one.textContent?.slice(0, 40)}`)
    .slice(0, 3);
  const scrolled = [...document.querySelectorAll(':has(h1)')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((one) => `${one.tagName} ${one.className} by ${one.scrollWidth - one.clientWidth} pixels`);
  return [...scrolled, ...elements];
}

describe.skipIf(noBrowser !== null)('the width of the pages of the console', () => {
  const site = consoleFixture({ worker: true });

  /** A person in a tenant with something of everything, and all pages that they can open. */
  async function prepare() {
    const { people } = site.server;
    const { tenant } = await SingleSignOn.start(site.server);
    await site.server.database.owner.query(
      `UPDATE identity.tenants SET features = '{sso,custom_rules,audit_export}' WHERE id = $1`,
      [tenant.id],
    );
    const user = await people.user({ tenant });
    const person = new Analyst(site.server, user.session, tenant.id);
    const create = (path: string, body: object) => person.ask(201, path, { method: 'POST', body });
    const project = await person.project([bucket('open', { uniform: false, logged: false })]);
    const [first, second] = [await person.scan(project), await person.scan(project)];
    await create('/projects', { name: LONG_NAME, description: 'Long '.repeat(40) });
    await person.upload(
      LONG_NAME,
      Array.from({ length: 1000 }, (_, index) => ({ name: `//${index}`, asset_type: 'a.com/B' })),
    );
    await create('/custom-rules', CUSTOM_RULE);
    await create('/profiles', {
      name: 'custom:web',
      include: ['category:kms'],
      exclude: [],
      parameters: {},
    });
    await create('/schedules', {
      name: 'nightly',
      projects: [project],
      profile: 'full',
      cron: '0 3 * * *',
      timezone: 'Europe/Berlin',
    });
    await create('/mutes', {
      selector: { asset: '//storage.googleapis.com/open' },
      reason: 'A static site',
    });
    const webhook = await create('/webhooks', {
      url: 'http://127.0.0.1:9000/hook',
      description: 'Tickets',
      events: ['scan.completed'],
    });
    const asset = encodeURIComponent('//storage.googleapis.com/open');
    const screens: Screens = [
      ['/', 'Dashboard'],
      ['/findings', 'Findings'],
      ['/findings?by=rule', 'Findings'],
      ['/compliance', 'Compliance'],
      ['/scans', 'Scans'],
      [`/scans/${second.id}`, `Scan of ${project}`],
      [`/scans/${second.id}/compare?with=${first.id}`, 'Compare scans'],
      ['/schedules', 'Schedules'],
      ['/projects', 'Projects'],
      [`/projects/${project}`, project],
      [`/projects/${LONG_NAME}`, LONG_NAME],
      [`/projects/${project}/source`, 'Inventory source'],
      [`/projects/${project}/assets`, 'Assets'],
      [`/projects/${project}/assets/lookup?asset=${asset}`, 'open'],
      ['/mutes', 'Mutes'],
      ['/rules', 'Rules'],
      ['/rules/bucket-public', 'Bucket is public'],
      ['/custom-rules', 'Custom rules'],
      ['/custom-rules/_new', 'Create a custom rule'],
      ['/custom-rules/mine', 'Bucket is not uniform'],
      ['/profiles', 'Profiles'],
      ['/profiles/new', 'Create a profile'],
      ['/profiles/custom:web', 'custom:web'],
      ['/people', 'People'],
      ['/roles', 'Roles'],
      ['/api-keys', 'API keys'],
      ['/tenant', 'Tenant'],
      ['/single-sign-on', 'Single sign-on'],
      ['/webhooks', 'Webhooks'],
      [`/webhooks/${webhook.id}`, 'Webhook'],
      ['/audit-log', 'Audit log'],
      [`/audit-log?actor=${first.id}&from=2026-01-01`, 'Audit log'],
      ['/account', 'Your account'],
    ];
    return { user, screens };
  }

  it.each(SIZES)(
    'no page of the console scrolls sideways or breaks a number at %s',
    async (_, viewport) => {
      const { user, screens } = await prepare();
      const visitor = await site.open('/account', user);
      const { page } = visitor;
      await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
      await page.setViewportSize(viewport);
      const wide: string[] = [];
      const look = async ([path, name]: Screens[number]) => {
        await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
        await visitor.quiet();
        const faults = [...(await page.evaluate(tooWide)), ...(await page.evaluate(brokenNumbers))];
        wide.push(...faults.map((what) => `${path}: ${what}`));
      };
      for (const screen of screens) {
        await visitor.move(screen[0]);
        await look(screen);
      }
      await visitor.context.clearCookies();
      for (const screen of OUTSIDE) {
        await visitor.goto(screen[0]);
        await look(screen);
      }
      expect(wide).toEqual([]);
    },
  );
});
