import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { TestIdentityProvider } from '../kit/identity-provider.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('tenant, single sign-on and audit log in the console', () => {
  const provider = new TestIdentityProvider();
  let browser: Browser;
  let server: TestServer;
  let admin: TestUser;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  beforeEach(async () => {
    const tenant = await server.people.tenant(['sso', 'audit_export']);
    admin = await server.people.user({ tenant });
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(() => visitor.close());

  async function open(path: string) {
    await visitor.goto(path);
    await signInWithCode(visitor, server, admin);
    await visitor.page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
  }

  const ask = async (path: string) => (await server.call(path, { headers: admin.key })).json;

  it('the tenant page changes the name and the settings of the tenant', async () => {
    const { page } = visitor;
    await open('/tenant');
    await page.getByLabel('Name', { exact: true }).fill('<b>Example</b> Ltd');
    await page.getByLabel('Duration of a mute, in days').fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid]').waitFor();
    await page.getByLabel('Duration of a mute, in days').fill('30');
    await page.getByLabel('Own domains').fill('example.com\nexample.org');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    expect(await ask('/tenant')).toMatchObject({
      name: '<b>Example</b> Ltd',
      settings: { muteDefaultDays: 30, allowedDomains: ['example.com', 'example.org'] },
    });
    await page.getByRole('button', { name: 'Tenant <b>Example</b> Ltd' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the tenant page adds a domain, verifies it by its DNS record and removes it', async () => {
    const { page } = visitor;
    const domain = `${admin.tenant.id}.example.com`;
    await open('/tenant');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain', { exact: true }).fill(domain);
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('heading', { name: `Verify ${domain}` }).waitFor();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/record/)
      .waitFor();

    const { items } = await ask('/tenant/domains');
    server.dns.set(domain, [items[0].record.value]);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Domain verified').waitFor();
    await page.getByRole('row', { name: new RegExp(`${domain}.*Verified`) }).waitFor();
    await page.getByRole('button', { name: `Remove ${domain}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove domain' }).click();
    await page.getByText('No domains yet').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of single sign-on sets the identity provider by a metadata file, and deletes it', async () => {
    const { page } = visitor;
    await open('/single-sign-on');
    const entityId = `${server.url}/auth/saml/metadata?tenant=${admin.tenant.id}`;
    await page.getByText(entityId, { exact: true }).first().waitFor();
    await page.getByText(`${server.url}/auth/saml/acs`, { exact: true }).waitFor();
    await page.getByLabel('Metadata of the provider').fill('<not-metadata/>');
    await page.getByLabel('E-mail domains').fill(provider.domain);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Metadata file').setInputFiles({
      name: 'metadata.xml',
      mimeType: 'application/xml',
      buffer: Buffer.from(provider.metadataXml),
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Values for your identity provider' }).waitFor();
    await page.getByText(provider.entityId, { exact: true }).waitFor();
    const settings = await ask('/tenant/saml');
    expect(settings).toMatchObject({ emailDomains: [provider.domain], defaultRole: 'viewer' });
    await page.getByText(settings.serviceProvider.acsUrl, { exact: true }).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('single-sign-on-set-desktop-light');

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Metadata of the provider').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of single sign-on loads its values again after a try that was refused', async () => {
    const { page } = visitor;
    await page.route('**/auth/saml/metadata*', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }),
    );
    await open('/single-sign-on');
    await page.getByText('The values for your identity provider could not be loaded').waitFor();
    await page.unroute('**/auth/saml/metadata*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('ACS URL').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of single sign-on says that a license is needed', async () => {
    admin = await server.people.user();
    await open('/single-sign-on');
    await visitor.page.getByText('Single sign-on is not part of your license').waitFor();
  });

  it('the audit log filters by event and actor, keeps the filters in the URL, and exports', async () => {
    const { page } = visitor;
    await server.call('/api-keys', {
      method: 'POST',
      headers: admin.session,
      body: { name: '<img src=x onerror=alert(1)>' },
    });
    await open('/audit-log');
    await page
      .getByRole('row', { name: /Sign-in auth.login Success/ })
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'API key created' }).click();
    await page.getByText('auth.login').first().waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /API key created/ }).waitFor();
    await page.getByRole('combobox', { name: 'Actor' }).click();
    await page.getByRole('option', { name: 'You' }).click();
    await page.waitForURL((url) => url.searchParams.get('actor') === admin.id);
    await page.waitForURL((url) => url.searchParams.get('action') === 'api_key.created');
    await page.getByRole('button', { name: /Details of API key created/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Correlation id').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('audit-log-details-desktop-light');
    await dialog.getByRole('button', { name: 'Close' }).click();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(['api_key.created']);

    await page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await page.getByText('No event matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page
      .getByRole('row', { name: /auth.login/ })
      .first()
      .waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the audit log filters by outcome', async () => {
    const { page } = visitor;
    await server.call('/projects', { method: 'POST', headers: admin.session, body: { name: 'a' } });
    await server.call('/projects', { method: 'POST', headers: admin.session, body: { name: 'a' } });
    await open('/audit-log');
    await page
      .getByRole('row', { name: /Project created .* Success/ })
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Refused' }).click();
    await page.waitForURL((url) => url.searchParams.get('outcome') === 'failure');
    await page.getByRole('row', { name: /Project created .* Refused/ }).waitFor();
    await page
      .getByRole('row', { name: /Project created .* Success/ })
      .first()
      .waitFor({ state: 'detached' });
    await visitor.screenshot('audit-log-outcome-desktop-light');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page
      .getByRole('row', { name: /Project created .* Success/ })
      .first()
      .waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the audit log ignores filters in the URL that the API would refuse', async () => {
    await open('/audit-log?action=nonsense&actor=%3Cscript%3E&from=2026-02-30&to=9999-12-31');
    await visitor.page
      .getByRole('row', { name: /auth.login/ })
      .first()
      .waitFor();
    expect(visitor.takeRequests()).toContain('GET /audit-events?limit=50');
  });

  it('the tenant, single sign-on and audit log pages use at most three requests each', async () => {
    const { page } = visitor;
    const sent = () => visitor.takeRequests().filter((one) => !one.includes('/auth/login'));
    await open('/tenant');
    await page.getByText('No domains yet').waitFor();
    expect(sent()).toEqual(['GET /auth/me', 'GET /tenant', 'GET /tenant/domains']);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByLabel('Metadata of the provider').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page
      .getByRole('row', { name: /auth.login/ })
      .first()
      .waitFor();
    expect(sent().toSorted()).toEqual([
      'GET /audit-events?limit=50',
      `GET /auth/saml/metadata?tenant=${admin.tenant.id}`,
      'GET /roles',
      'GET /tenant/saml',
    ]);
  });

  it.each(['/tenant', '/single-sign-on', '/audit-log'])(
    'the page %s is refused to a person without the permission',
    async (path) => {
      const viewer = await server.people.user({ role: 'viewer' });
      await visitor.goto(path);
      await visitor.signIn(viewer.email, viewer.password);
      await visitor.page.getByText(/Your role lacks the permission admin\./).waitFor();
    },
  );

  it.each(['desktop', 'phone'] as const)(
    'the tenant, single sign-on and audit log pages have no accessibility violations on a %s in either theme',
    async (size) => {
      for (const theme of ['light', 'dark'] as const) {
        await visitor.close();
        const tenant = await server.people.tenant(['sso', 'audit_export']);
        admin = await server.people.user({ tenant });
        visitor = await ConsoleVisitor.open(browser, server, { size, theme });
        const { page } = visitor;
        const look = async (name: string) => {
          expect({ [name]: await visitor.accessibilityViolations() }).toEqual({ [name]: [] });
          await visitor.screenshot(`${name}-${size}-${theme}`);
        };
        await open('/tenant');
        await page.getByText('No domains yet').waitFor();
        await look('tenant');
        await page.getByRole('button', { name: 'Add domain' }).click();
        await page.getByLabel('Domain', { exact: true }).fill('example.com');
        await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
        await page.getByRole('heading', { name: 'Verify example.com' }).waitFor();
        await look('tenant-domain');
        await page.getByRole('button', { name: 'Close', exact: true }).last().click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('g');
        await page.keyboard.press('a');
        await page
          .getByRole('row', { name: /auth.login/ })
          .first()
          .waitFor();
        await look('audit-log');
        await page.goBack();
        if (size === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Single sign-on' }).click();
        await page.getByLabel('Metadata of the provider').waitFor();
        await look('single-sign-on');
        expect(visitor.complaints).toEqual([]);
      }
    },
  );
});
