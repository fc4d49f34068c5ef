import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { linkOfMail } from '../kit/console-mail.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { TestMailServer } from '../kit/mail-server.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const PASSWORD = 'seven green bottles on a wall';

describe.skipIf(noBrowser !== null)('people and roles in the console', () => {
  let browser: Browser;
  let mails: TestMailServer;
  let server: TestServer;
  let admin: TestUser;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    mails = await TestMailServer.start();
    const mail = { url: mails.url, from: 'posture@example.com' };
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, worker: true, config: { mail } }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await mails?.stop();
  });

  beforeEach(async () => {
    admin = await server.people.user();
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(() => visitor.close());

  async function open(path: string) {
    await visitor.goto(path);
    await signInWithCode(visitor, server, admin);
    await visitor.page.getByRole('heading', { name: /^(People|Roles)$/, level: 1 }).waitFor();
  }

  const choose = async (email: string, item: string) => {
    await visitor.page.getByRole('button', { name: `Actions for ${email}` }).click();
    await visitor.page.getByRole('menuitem', { name: item }).click();
  };

  async function invite(email: string, name: string) {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'analyst' }).click();
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  it('the people page invites a person, who sets a password by the link in the mail and signs in', async () => {
    const { page } = visitor;
    const email = `${randomUUID()}@example.com`;
    await open('/people');
    await invite(email, '<img src=x onerror=alert(1)>');
    await page.getByRole('row', { name: /img src=x.*analyst.*Invited/ }).waitFor();
    expect(visitor.complaints).toEqual([]);

    const guest = await ConsoleVisitor.open(browser, server);
    await guest.page.goto(await linkOfMail(mails, email, /./));
    await guest.page.getByLabel('New password').fill(PASSWORD);
    await guest.page.getByRole('button', { name: 'Set the password' }).click();
    await guest.page.getByRole('link', { name: 'Sign in' }).click();
    await guest.signIn(email, PASSWORD);
    await guest.page.getByText(admin.tenant.name).first().waitFor();
    await guest.page.getByText('analyst').first().waitFor();
    await expect.poll(() => guest.page.getByRole('link', { name: 'People' }).count()).toBe(0);
    expect(guest.complaints).toEqual([]);
    await guest.close();
  });

  it('the people page invites a person with an account, who accepts by the link in the mail', async () => {
    const other = await server.people.user();
    await open('/people');
    await invite(other.email, 'Grace Hopper');
    const guest = await ConsoleVisitor.open(browser, server);
    await guest.page.goto(await linkOfMail(mails, other.email, /./));
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await guest.page.getByText('You have joined.').waitFor();
    await guest.close();
    const body = { email: other.email, password: other.password, tenantId: admin.tenant.id };
    expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(200);
  });

  it('the people page offers the role with the fewest permissions to a person who may not give the role viewer', async () => {
    const least = await server.people.role(admin.tenant, ['findings.read']);
    const role = ['admin.users', 'findings.read', 'scans.read'] as const;
    admin = await server.people.user({ tenant: admin.tenant, role });
    await open('/people');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Role' }).innerText()).toBe(least);
    const email = `${randomUUID()}@example.com`;
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('row', { name: email }).getByText(least).first().waitFor();
  });

  it('the people page sends an invitation again, but not at once', async () => {
    const { page } = visitor;
    const email = `${randomUUID()}@example.com`;
    await open('/people');
    await invite(email, 'Grace Hopper');
    await page.getByRole('row', { name: /Grace Hopper.*Invited/ }).waitFor();
    await choose(email, 'Send the invitation again');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText(/less than 10 minutes ago/).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('people-resend-refused');
    await server.database.owner.query(
      "UPDATE identity.mail_tokens SET expires_at = expires_at - interval '11 minutes' WHERE email = $1",
      [email],
    );
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Invitation sent', { exact: true }).last().waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('the people page withdraws an invitation, and says what that does', async () => {
    const { page } = visitor;
    const email = `${randomUUID()}@example.com`;
    await open('/people');
    await invite(email, 'Grace Hopper');
    const row = page.getByRole('row', { name: /Grace Hopper.*Invited/ });
    await row.waitFor();
    await choose(email, 'Withdraw the invitation');
    const dialog = page.getByRole('dialog', { name: `Withdraw the invitation to ${email}?` });
    await dialog.getByText('The link in the mail stops working.', { exact: false }).waitFor();
    expect(await dialog.innerText()).not.toMatch(/API key|session/);
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText('Invitation withdrawn').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
  });

  it('the people page changes the role of a person, disables, enables and removes them', async () => {
    const { page } = visitor;
    const member = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    const me = async () => (await server.call('/auth/me', { headers: member.key })).json;
    await open('/people');
    await choose(member.email, 'Change role');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'analyst' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByText('Role changed').waitFor();
    const row = page.getByRole('row', { name: new RegExp(member.email) });
    await row.getByText('analyst').waitFor();
    expect((await me()).role).toBe('analyst');

    await choose(member.email, 'Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    expect((await server.call('/auth/me', { headers: member.session })).status).toBe(401);
    await choose(member.email, 'Enable');
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
    await row.getByText('Active').waitFor();
    await choose(member.email, 'Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    // While the dialog is open, the table behind it has no roles.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await server.call('/auth/me', { headers: member.key })).status).toBe(401);
    expect(visitor.complaints).toEqual([]);
  });

  it('the people page does not claim to have changed a role that the person chose again', async () => {
    const { page } = visitor;
    const member = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    await open('/people');
    await choose(member.email, 'Change role');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByText('Role changed').count()).toBe(0);
    expect(visitor.takeRequests()).not.toContain(`PATCH /users/${member.id}`);
  });

  it('the people page says that an action needs a session with a second factor', async () => {
    const { page } = visitor;
    await visitor.goto('/people');
    await visitor.signIn(admin.email, admin.password);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  });

  it('the roles page creates, edits and deletes a role', async () => {
    const { page } = visitor;
    await open('/roles');
    await page.getByRole('button', { name: 'Create role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Not a name');
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await dialog.getByText(/beginning with a letter/).waitFor();
    await dialog.getByLabel('Name').fill('release-manager');
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await dialog.getByText('Choose at least one permission.').waitFor();
    await dialog.getByLabel('Launch scans').check();
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('columnheader', { name: /release-manager/ }).waitFor();

    await page.getByRole('button', { name: 'Actions for the role release-manager' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Cancel scans').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { items } = (await server.call('/roles', { headers: admin.key })).json;
    expect(items).toContainEqual({
      name: 'release-manager',
      permissions: ['scans.launch', 'scans.cancel'],
      builtIn: false,
    });

    await page.getByRole('button', { name: 'Actions for the role release-manager' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByRole('columnheader', { name: /release-manager/ })
      .waitFor({ state: 'detached' });
    expect(visitor.complaints).toEqual([]);
  });

  it.each(['/people', '/roles'])(
    'the page %s is refused to a person without the permission',
    async (path) => {
      const viewer = await server.people.user({ role: 'viewer' });
      await visitor.goto(path);
      await visitor.signIn(viewer.email, viewer.password);
      await visitor.page.getByText('Your role lacks the permission admin.users.').waitFor();
      const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/'));
      expect(requests).toEqual([]);
    },
  );

  it('the people page and the roles page use at most three requests', async () => {
    await open('/people');
    await visitor.page.getByRole('row', { name: /Test Person/ }).waitFor();
    const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/login'));
    expect(requests).toEqual(['GET /auth/me', 'GET /roles', 'GET /users?limit=100']);
  });

  it.each(['desktop', 'phone'] as const)(
    'the people page and the roles page have no accessibility violations on a %s in either theme',
    async (size) => {
      for (const theme of ['light', 'dark'] as const) {
        await visitor.close();
        admin = await server.people.user();
        await server.people.user({ tenant: admin.tenant, role: 'viewer' });
        await server.people.user({ tenant: admin.tenant, role: ['scans.read', 'scans.launch'] });
        visitor = await ConsoleVisitor.open(browser, server, { size, theme });
        const { page } = visitor;
        const look = async (name: string) => {
          expect({ [name]: await visitor.accessibilityViolations() }).toEqual({ [name]: [] });
          await visitor.screenshot(`${name}-${size}-${theme}`);
        };
        await open('/people');
        await page.getByText('viewer').waitFor();
        await look('people');
        await page.getByRole('button', { name: 'Invite' }).click();
        await page.getByRole('dialog').getByLabel('E-mail').waitFor();
        await look('people-invite');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('g');
        await page.keyboard.press('o');
        await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
        await page.getByRole('table').waitFor();
        await look('roles');
        await page.getByRole('button', { name: 'Create role' }).click();
        await page.getByRole('dialog').getByLabel('Name').waitFor();
        await look('roles-create');
        expect(visitor.complaints).toEqual([]);
      }
    },
  );
});
