import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { acceptInvitation, choose, invite, waitForShell } from '../kit/console-journeys.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { signInThrough } from '../kit/console-single-sign-on.ts';
import { TestIdentityProvider } from '../kit/identity-provider.ts';
import type { TestTenant, TestUser } from '../kit/people.ts';

const PASSWORD = 'seven green bottles on a wall';

describe.skipIf(noBrowser !== null)("an administrator's day in the console", () => {
  const site = consoleFixture({ worker: true, mail: true, browser: { isComplete: true } });
  const provider = new TestIdentityProvider();
  let tenant: TestTenant;
  let admin: TestUser;

  beforeAll(async () => {
    tenant = await site.server.people.tenant(['sso', 'audit_export']);
    admin = await site.server.people.user({ tenant });
  });

  const menu = async ({ page }: ConsoleVisitor, email: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  async function changeRole(visitor: ConsoleVisitor, email: string, role: string): Promise<void> {
    const { page } = visitor;
    await menu(visitor, email, 'Change role');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: role, exact: true }).click();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: new RegExp(email) })
      .getByText(role)
      .waitFor();
  }

  async function createKey(visitor: ConsoleVisitor): Promise<string> {
    const { page } = visitor;
    await choose(visitor, 'API keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('ci');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByTestId('api-key').innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /ci/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    return key;
  }

  async function setIdentityProvider(visitor: ConsoleVisitor): Promise<void> {
    const { page } = visitor;
    await choose(visitor, 'Single sign-on');
    const metadata = Buffer.from(provider.metadataXml);
    const file = { name: 'metadata.xml', mimeType: 'application/xml', buffer: metadata };
    await page.getByLabel('Metadata file').setInputFiles(file);
    await page.getByLabel('E-mail domains').fill(provider.domain);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Values for your identity provider' }).waitFor();
  }

  /** Proves that the domain of the provider belongs to the tenant. */
  async function proveDomain(visitor: ConsoleVisitor): Promise<void> {
    const { page } = visitor;
    await choose(visitor, 'Tenant');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain', { exact: true }).fill(provider.domain);
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('heading', { name: `Verify ${provider.domain}` }).waitFor();
    const { items } = (await site.server.call('/tenant/domains', { headers: admin.key })).json;
    site.server.dns.set(provider.domain, [items[0].record.value]);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Domain verified').waitFor();
  }

  async function exportKeysFromAuditLog(visitor: ConsoleVisitor): Promise<string[]> {
    const { page } = visitor;
    await choose(visitor, 'Audit log');
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'API key created' }).click();
    await page.getByText('auth.login').first().waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /API key created/ }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).action);
  }

  it('an administrator can invite, change a role, create a key, set up SAML, read the audit log and suspend in the console', async () => {
    const visitor = await site.visit();
    const { page } = visitor;
    await visitor.goto('/people');
    await signInWithCode(visitor, site.server, admin);
    const email = `${randomUUID()}@example.com`;
    await invite(visitor, email, 'Grace Hopper', 'viewer');
    await page.getByRole('row', { name: /Grace Hopper.*viewer.*Invited/ }).waitFor();

    const colleague = await site.visit();
    await acceptInvitation(colleague, site.mails, email, PASSWORD);
    await choose(colleague, 'Projects');
    const create = colleague.page.getByRole('button', { name: 'Create project' });
    await expect.poll(() => create.count()).toBe(0);
    await page.reload();
    await changeRole(visitor, email, 'analyst');
    // The person returns to the tab; nothing is reloaded.
    await colleague.returnToTab();
    await create.first().waitFor();
    await changeRole(visitor, email, 'viewer');
    await create.first().click();
    const dialog = colleague.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shop-prod');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByRole('alert').waitFor();
    await colleague.page.keyboard.press('Escape');
    await colleague.page.getByRole('button', { name: 'Discard' }).click();
    await create.first().waitFor({ state: 'detached' });

    const key = { 'x-api-key': await createKey(visitor) };
    expect((await site.server.call('/auth/me', { headers: key })).json.user.id).toBe(admin.id);
    await setIdentityProvider(visitor);
    await proveDomain(visitor);
    const newcomer = await site.visit();
    await signInThrough(newcomer, site.server, { provider, tenant }, `ada@${provider.domain}`);
    await waitForShell(newcomer);
    await newcomer.page.getByText(tenant.name).first().waitFor();
    expect(await exportKeysFromAuditLog(visitor)).toEqual(['api_key.created']);

    await choose(visitor, 'People');
    await menu(visitor, email, 'Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page
      .getByRole('row', { name: new RegExp(email) })
      .getByText('Disabled')
      .waitFor();
    await colleague.page.getByRole('link', { name: 'Scans', exact: true }).click();
    await colleague.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await colleague.page.getByText('Your session has ended. Sign in again.').waitFor();
    await colleague.signIn(email, PASSWORD);
    await colleague.page.getByRole('alert').waitFor();
    const renewed = await colleague.page.request.post(`${site.server.url}/auth/refresh`, {
      headers: { 'x-session-transport': 'cookie', origin: site.server.url },
      data: {},
    });
    expect(renewed.status()).toBe(401);
  });
});
