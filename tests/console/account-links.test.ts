import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { arrivedMail, linkOfMail } from '../kit/console-mail.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { signInThrough } from '../kit/console-single-sign-on.ts';
import { TestMailServer } from '../kit/mail-server.ts';
import { SingleSignOn } from '../kit/single-sign-on.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const PASSWORD = 'seven green bottles on a wall';
const OTHER_PASSWORD = 'eight blue bottles on a floor';

describe.skipIf(noBrowser !== null)('accounts in the console', () => {
  let browser: Browser;
  let mails: TestMailServer;
  let server: TestServer;
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
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(() => visitor.close());

  const waitForShell = () =>
    visitor.page.getByRole('navigation', { name: 'Main' }).first().waitFor();
  const heading = (name: string) => visitor.page.getByRole('heading', { name, level: 1 });
  const mailTo = (email: string, subject: RegExp) => linkOfMail(mails, email, subject);

  it('the console registers a person, who follows the link in the mail and signs in', async () => {
    const { page } = visitor;
    const email = `${randomUUID()}@example.com`;
    await visitor.goto('/sign-in');
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByLabel('Your name').fill('<img src=x onerror=alert(1)>');
    await page.getByLabel('Organization').fill('Example Ltd');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('too short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Use at least 12 characters.').waitFor();
    await page.getByLabel('Password').fill('passwordpassword');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page
      .getByText(/most common passwords/)
      .first()
      .waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();

    await page.goto(await mailTo(email, /Confirm/));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByText('Your address is confirmed').waitFor();
    await page.waitForURL(`${server.url}/console/verify-email`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await visitor.signIn(email, PASSWORD);
    await waitForShell();
    expect(visitor.complaints).toEqual([]);
  });

  it('the console sends nothing when the link of a mail is only opened', async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/verify-email?token=abc`);
    await page.getByRole('button', { name: 'Confirm the address' }).waitFor();
    expect(visitor.takeRequests()).toEqual(['GET /verify-email?token=abc']);
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByRole('button', { name: 'Send a new link' }).waitFor();
  });

  it('the console sets a new password for a person who forgot it', async () => {
    const { page } = visitor;
    const { email } = await server.people.user();
    await visitor.goto('/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading('Forgotten password').waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(/a mail with a link is on its way/).waitFor();

    const link = await mailTo(email, /new password/);
    await page.goto(link);
    await page.getByLabel('New password').fill(OTHER_PASSWORD);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your password is set').waitFor();
    await page.waitForURL((url) => !url.href.includes('token'));
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await visitor.signIn(email, OTHER_PASSWORD);
    await waitForShell();
    await arrivedMail(mails, email, /was changed/);

    await page.goto(link);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Request a new link' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page for a forgotten password has the address that was typed on the sign-in page', async () => {
    const { page } = visitor;
    await visitor.goto('/sign-in');
    await page.getByLabel('E-mail').fill('ada+shop@example.com');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading('Forgotten password').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ada+shop@example.com');
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of an invitation that has expired tells the person to have it sent again', async () => {
    const { page } = visitor;
    await visitor.goto(`/accept-invite?token=${'a'.repeat(43)}`);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page
      .getByText('Ask the administrator who invited you to send the invitation again.')
      .waitFor();
  });

  it('the console signs a person in through the identity provider of the tenant', async () => {
    const { page } = visitor;
    const sso = await SingleSignOn.start(server);
    await signInThrough(visitor, server, sso, sso.address());
    await waitForShell();
    await page.getByText(sso.tenant.name).first().waitFor();
  });

  it('the console asks an administrator once to confirm an identity provider', async () => {
    const { page } = visitor;
    const sso = await SingleSignOn.start(server);
    const admin = await sso.person({ tenant: sso.tenant });
    await signInThrough(visitor, server, sso, admin.email);
    await page.getByRole('heading', { name: 'Confirm the sign-in' }).waitFor();
    await page.waitForURL(`${server.url}/console/auth/callback`);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('confirm-sign-in-light');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await waitForShell();
  });

  it('the console says that a sign-in failed if its code is no longer valid', async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/auth/callback?code=abc`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'The sign-in has expired' }).waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it.each(['desktop', 'phone'] as const)(
    'the account pages of the console have no accessibility violations on a %s in either theme',
    async (size) => {
      for (const theme of ['light', 'dark'] as const) {
        const other = await ConsoleVisitor.open(browser, server, { size, theme });
        for (const path of PATHS) {
          await other.goto(path);
          await other.page.getByRole('heading', { level: 1 }).waitFor();
          expect({ [path]: await other.accessibilityViolations() }).toEqual({ [path]: [] });
          await other.screenshot(`${path.slice(1).replace(/\?.*/, '')}-${size}-${theme}`);
        }
        expect(other.complaints).toEqual([]);
        await other.close();
      }
    },
  );
});

const PATHS = [
  '/sign-in',
  '/register',
  '/forgotten-password',
  '/verify-email?token=abc',
  '/reset-password?token=abc',
  '/accept-invite?token=abc',
];
