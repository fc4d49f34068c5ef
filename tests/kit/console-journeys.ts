import { expect } from 'vitest';
import { codeAt } from './authenticator.ts';
import { linkOfMail } from './console-mail.ts';
import type { ConsoleVisitor } from './console-page.ts';
import type { TestMailServer } from './mail-server.ts';
import type { TestServer } from './test-server.ts';

/*
 * What several tests of the console do on the way to what they test, as a person does it.
 */

/** Waits for the shell, which only people with a session see. */
export async function waitForShell({ page }: ConsoleVisitor): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
}

/** Opens a screen by its line in the navigation. */
export async function choose({ page }: ConsoleVisitor, screen: string): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: screen, exact: true }).click();
  await page.getByRole('heading', { name: screen, exact: true, level: 1 }).waitFor();
}

export async function signOut({ page }: ConsoleVisitor): Promise<void> {
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
}

/** Sends an invitation from the screen of people. */
export async function invite({ page }: ConsoleVisitor, email: string, name: string, role: string) {
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
}

/** Passes the second factor that an action asks for. */
export async function confirmWithCode(
  { page }: ConsoleVisitor,
  server: TestServer,
  secret: string,
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  server.clock.advance({ seconds: 60 });
  await dialog.getByLabel('Code').fill(codeAt(secret, server.clock.now()));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Follows the link of an invitation, sets a password and signs in with it. */
export async function acceptInvitation(
  visitor: ConsoleVisitor,
  mails: TestMailServer,
  email: string,
  password: string,
): Promise<void> {
  const { page } = visitor;
  await page.goto(await linkOfMail(mails, email, /./));
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await visitor.signIn(email, password);
  await waitForShell(visitor);
}

/** Turns on two-factor authentication on the screen of the account. @returns the secret of the authenticator. */
export async function turnOnTwoFactor(
  { page }: ConsoleVisitor,
  server: TestServer,
): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  const secret = await dialog.getByTestId('totp-secret').innerText();
  await dialog.getByLabel('Code', { exact: true }).fill(codeAt(secret, server.clock.now()));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect.poll(() => codes.count()).toBe(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'New recovery codes' }).waitFor();
  return secret;
}

/** Enters a code that the authenticator has not shown before. */
export async function enterCode(
  { page }: ConsoleVisitor,
  server: TestServer,
  secret: string,
): Promise<void> {
  server.clock.advance({ seconds: 60 });
  await page.getByLabel('Authentication code').fill(codeAt(secret, server.clock.now()));
  await page.getByRole('button', { name: 'Verify' }).click();
}
