import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { waitForShell } from '../kit/console-journeys.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { GoogleAccounts } from '../kit/google-accounts.ts';
import { TestIdentityProvider } from '../kit/identity-provider.ts';
import type { TestUser } from '../kit/people.ts';
import { SingleSignOn } from '../kit/single-sign-on.ts';
import { TokenIssuer } from '../kit/token-issuer.ts';

const QUESTION = 'Continue the sign-in?';

describe.skipIf(noBrowser !== null)('login CSRF in the console', async () => {
  const issuer = await TokenIssuer.start();
  const fixture = consoleFixture({ issuer });
  /** A provider that signs everybody in as one person without a question, and a page of its owner. */
  const provider = new TestIdentityProvider();
  const trap = `trap@${provider.domain}`;
  let sso: SingleSignOn;
  let site: Server;
  let siteUrl = '';
  /** Where the page of the site leads without a click. */
  let lure = '';

  beforeAll(async () => {
    site = createServer((req, res) => void serve(req, res)).listen(0, '127.0.0.1');
    await once(site, 'listening');
    siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
    Object.assign(provider, { ssoUrl: `${siteUrl}/sso` });
    sso = await SingleSignOn.start(fixture.server, provider);
  });

  afterAll(async () => {
    site?.close();
    await issuer.close();
  });

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    res.setHeader('content-type', 'text/html');
    if (req.url === '/') {
      res.end(`<h1>Cats</h1><script>location.href=${JSON.stringify(lure)}</script>`);
      return;
    }
    const { server } = fixture;
    const request = await provider.requestIn(`${siteUrl}${req.url}`, server, sso.tenant);
    const response = await provider.respond(request, { email: trap }, server.clock.now());
    res.end(
      `<form method="post" action="${request.acsUrl}"><input name="SAMLResponse" value="${response}"></form><script>document.forms[0].submit()</script>`,
    );
  }

  const samlLogin = () => `${fixture.server.url}/auth/saml/login?tenant=${sso.tenant.id}`;
  const question = ({ page }: ConsoleVisitor) =>
    page.getByRole('heading', { name: QUESTION, level: 1 });

  async function visitSite({ page }: ConsoleVisitor, to: string): Promise<void> {
    lure = to;
    await page.goto(siteUrl, { waitUntil: 'commit' });
  }

  async function openSessions(user: TestUser): Promise<number> {
    const text =
      'SELECT count(*)::int AS n FROM identity.sessions WHERE user_id = $1 AND revoked_at IS NULL';
    const [row] = await sso.sql(text, [user.id]);
    return row?.['n'];
  }

  async function signedIn(path: string): Promise<[ConsoleVisitor, TestUser]> {
    const user = await fixture.server.people.user();
    const visitor = await fixture.open(path, user);
    await waitForShell(visitor);
    return [visitor, user];
  }

  it('a sign-in that another site starts leaves the session of the browser as it is until the person continues', async () => {
    const [visitor, user] = await signedIn('/projects');
    const before = await openSessions(user);
    await visitSite(visitor, samlLogin());
    await question(visitor).waitFor();
    await visitor.page.getByText(`signed in as ${user.email}`).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('continue-sign-in');
    expect(visitor.takeRequests()).not.toContain('POST /auth/exchange');
    // Cancel has the focus.
    await visitor.page.keyboard.press('Enter');
    await waitForShell(visitor);
    await visitor.page.getByText(user.email).first().waitFor();
    expect(visitor.page.url()).not.toContain('code=');
    expect(await openSessions(user)).toBe(before);
  });

  it('a sign-in that another site starts signs nobody in where the person has left a sign-in of their own', async () => {
    const visitor = await fixture.visit();
    const { page } = visitor;
    await visitor.goto('/sign-in');
    new GoogleAccounts(issuer, fixture.server, { sub: newId(), email: `${newId()}@example.com` });
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
    for (const state of ['', `&state=${'a'.repeat(32)}`]) {
      await visitSite(visitor, samlLogin() + state);
      await question(visitor).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    }
  });

  it('a sign-in that another site starts at Google leaves the session of the browser as it is until the person continues', async () => {
    const [visitor, user] = await signedIn('/projects');
    const person = { sub: newId(), email: `${newId()}@example.com` };
    new GoogleAccounts(issuer, fixture.server, person);
    await visitSite(visitor, `${fixture.server.url}/auth/google/login`);
    await visitor.page.getByRole('button', { name: 'Continue' }).click();
    await question(visitor).waitFor();
    await visitor.page.getByRole('button', { name: 'Cancel' }).click();
    await waitForShell(visitor);
    await visitor.page.getByText(user.email).first().waitFor();
  });

  it('a sign-in from a bookmark signs the person in after the question, by keyboard alone', async () => {
    const visitor = await fixture.visit();
    await visitor.page.goto(samlLogin(), { waitUntil: 'commit' });
    await question(visitor).waitFor();
    expect(await visitor.page.getByText('This browser is signed in').count()).toBe(0);
    await visitor.page.keyboard.press('Shift+Tab');
    await visitor.page.keyboard.press('Enter');
    await waitForShell(visitor);
    await visitor.page.getByText(trap).first().waitFor();
  });

  it('a sign-in that starts on the sign-in page asks no question', async () => {
    const visitor = await fixture.visit();
    const { page } = visitor;
    await visitor.goto('/projects');
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await page.getByLabel('Work e-mail').fill(trap);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${fixture.server.url}/console/projects`);
    await waitForShell(visitor);
    await page.getByText(trap).first().waitFor();
  });
});
