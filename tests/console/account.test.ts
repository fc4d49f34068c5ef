import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { codeAt } from '../kit/authenticator.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const NEW_PASSWORD = 'eight blue bottles on a floor';

describe.skipIf(noBrowser !== null)('the own account in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let user: TestUser;
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
    user = await server.people.user();
    visitor = await ConsoleVisitor.open(browser, server);
    await visitor.goto('/account');
    await visitor.signIn(user.email, user.password);
    await visitor.page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  afterEach(() => visitor.close());

  /** Turns on two-factor authentication up to the recovery codes. @returns the secret of the authenticator. */
  async function setUp(): Promise<string> {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = await dialog.getByTestId('totp-secret').innerText();
    await dialog.getByLabel('Code', { exact: true }).fill(codeAt(secret, server.clock.now()));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    return secret;
  }

  it('the account page changes when the person gets e-mails about new findings, and shows it after a reload', async () => {
    const { page } = visitor;
    const choice = page.getByRole('combobox', { name: 'Send e-mails' });
    await expect.poll(() => choice.innerText()).toBe('No e-mails');
    await choice.click();
    await page.getByRole('option', { name: 'Once a week, on Mondays at 07:00 UTC' }).click();
    await page.getByText('E-mails changed').waitFor();
    const path = '/auth/me/notifications';
    expect((await server.call(path, { headers: user.key })).json).toEqual({ digest: 'weekly' });
    await page.reload();
    await expect.poll(() => choice.innerText()).toContain('Once a week');
  });

  it('the account page shows the chosen e-mails while they are saved, and takes no other choice meanwhile', async () => {
    const { page } = visitor;
    const choice = page.getByRole('combobox', { name: 'Send e-mails' });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/auth/me/notifications', async (route) => {
      if (route.request().method() === 'PUT') await released;
      await route.continue();
    });
    await choice.click();
    await page.getByRole('option', { name: /^Once a day/ }).click();
    await expect.poll(() => choice.innerText()).toContain('Once a day');
    expect(await choice.getAttribute('aria-disabled')).toBe('true');
    await choice.click({ force: true });
    expect(await page.getByRole('option').count()).toBe(0);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    release();
    await page.getByText('E-mails changed').waitFor();
    await choice.click();
    await page.getByRole('option', { name: /^Once a week/ }).click();
    const saved = async () =>
      (await server.call('/auth/me/notifications', { headers: user.key })).json;
    await expect.poll(saved).toEqual({ digest: 'weekly' });
  });

  it('the account page turns on two-factor authentication, and the next sign-in asks for a code', async () => {
    const { page } = visitor;
    const secret = await setUp();
    const codes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allInnerTexts();
    expect(codes).toHaveLength(10);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain(codes.join('\n'));
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('button', { name: 'New recovery codes' }).waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await visitor.signIn(user.email, user.password);
    const code = page.getByLabel('Authentication code');
    await code.fill('000 000');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('alert').waitFor();
    server.clock.advance({ seconds: 60 });
    await code.fill(codeAt(secret, server.clock.now()));
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the account page asks for the password to set up two-factor authentication in an older session', async () => {
    const { page } = visitor;
    server.clock.advance({ minutes: 6 });
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('wrong');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  });

  it('the account page turns two-factor authentication off with a code', async () => {
    const { page } = visitor;
    const secret = await setUp();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('button', { name: 'Turn off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('alert').waitFor();
    server.clock.advance({ seconds: 60 });
    await dialog.getByLabel('Code').fill(codeAt(secret, server.clock.now()));
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the account page changes the password and leads to the sign-in, and says when the current one is wrong', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is wrong.').waitFor();
    await page.getByLabel('Current password').fill(user.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed. Sign in with the new password.').waitFor();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await page.getByText('Your session has ended').count()).toBe(0);
    const { rows } = await server.database.owner.query(
      'SELECT 1 FROM identity.sessions WHERE user_id = $1 AND revoked_at IS NULL',
      [user.id],
    );
    expect(rows).toEqual([]);
    const body = { email: user.email, password: NEW_PASSWORD };
    expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(200);
  });

  it('the account page says once why a new password is refused', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill(user.password);
    await page.getByLabel('New password').fill('passwordpassword');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('is one of the most common passwords').waitFor();
    expect(await page.getByRole('alert').allTextContents()).toEqual(['Correct the marked fields.']);
  });

  it('the account page ends another session at once', async () => {
    const { page } = visitor;
    const me = () => server.call('/auth/me', { headers: user.session });
    expect((await me()).status).toBe(200);
    await page.getByRole('button', { name: /^End the session started .*\d:\d\d/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await page.getByText('Session ended').waitFor();
    expect((await me()).status).toBe(401);
  });

  it('the account page signs out everywhere', async () => {
    const { page } = visitor;
    await page.getByRole('main').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const me = await server.call('/auth/me', { headers: user.session });
    expect(me.status).toBe(401);
  });

  it('the account page uses at most three requests', async () => {
    await visitor.page.getByText('This session').waitFor();
    const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/login'));
    expect(requests.toSorted()).toEqual([
      'GET /auth/me',
      'GET /auth/me/notifications',
      'GET /sessions?limit=50',
    ]);
  });

  it.each(['desktop', 'phone'] as const)(
    'the account page has no accessibility violations on a %s in either theme',
    async (size) => {
      for (const theme of ['light', 'dark'] as const) {
        await visitor.close();
        user = await server.people.user();
        visitor = await ConsoleVisitor.open(browser, server, { size, theme });
        await visitor.goto('/account');
        await visitor.signIn(user.email, user.password);
        const { page } = visitor;
        const look = async (name: string) => {
          expect({ [name]: await visitor.accessibilityViolations() }).toEqual({ [name]: [] });
          await visitor.screenshot(`${name}-${size}-${theme}`);
        };
        await page.getByText('This session').waitFor();
        await look('account');
        await page.getByRole('button', { name: 'Set up' }).click();
        await page.getByRole('img', { name: /QR code/ }).waitFor();
        await look('account-set-up');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await setUp();
        await look('account-recovery-codes');
        expect(visitor.complaints).toEqual([]);
      }
    },
  );
});
