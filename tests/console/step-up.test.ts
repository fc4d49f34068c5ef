import type { Browser, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { codeAt, type Enrolled, enrol } from '../kit/authenticator.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import {
  BUILT_CONSOLE,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('the second factor in the console', () => {
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
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  const setUp = () => enrol(server.database, TEST_APP_SECRET, user, { at: server.clock.now() });
  const code = ({ secret }: Enrolled) => codeAt(secret, server.clock.now());
  const dialog = (name: string) => visitor.page.getByRole('dialog', { name });
  const stepUp = () => dialog('Confirm that it is you');

  /** Signs in with the password alone, sets up a second factor elsewhere, and fills in a role. */
  async function fillInRole(): Promise<Enrolled> {
    const { page } = visitor;
    await visitor.goto('/roles');
    await visitor.signIn(user.email, user.password);
    await page.getByRole('button', { name: 'Create role' }).click();
    const enrolled = await setUp();
    await dialog('Create a role').getByLabel('Name').fill('release-manager');
    await dialog('Create a role').getByLabel('Launch scans').check();
    return enrolled;
  }

  const create = () => dialog('Create a role').getByRole('button', { name: 'Create role' }).click();

  it('the console asks for a second factor in place, and repeats the refused call with its key', async () => {
    const { page } = visitor;
    const enrolled = await fillInRole();
    const sent: Request[] = [];
    page.on('request', (one) => {
      if (one.method() === 'POST' && one.url().endsWith('/roles')) sent.push(one);
    });
    await create();
    await stepUp().getByLabel('Code').fill('000000');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('step-up');
    await stepUp().getByRole('button', { name: 'Confirm' }).click();
    await stepUp().getByRole('alert').waitFor();
    await stepUp().getByLabel('Code').fill(code(enrolled));
    await stepUp().getByRole('button', { name: 'Confirm' }).click();
    await dialog('Create a role').waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: /release-manager/ }).waitFor();
    expect(sent).toHaveLength(2);
    const keys = await Promise.all(sent.map((one) => one.headerValue('idempotency-key')));
    expect(keys[0]).toMatch(/./);
    expect(keys[1]).toBe(keys[0]);
    const { items } = (await server.call('/roles', { headers: user.key })).json;
    const made = items.filter(({ name }: { name: string }) => name === 'release-manager');
    expect(made).toHaveLength(1);
  });

  it('the page for signing in is shown when the session ends under the question for a second factor', async () => {
    const { page, context } = visitor;
    await fillInRole();
    await create();
    await stepUp().getByLabel('Code').waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: /Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);

    // Nothing is left that would be sent for the next person.
    const sent: string[] = [];
    page.on('request', (one) => sent.push(`${one.method()} ${new URL(one.url()).pathname}`));
    const next = await server.people.user();
    await visitor.signIn(next.email, next.password);
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
    await page.getByRole('columnheader', { name: 'admin' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(sent).not.toContain('POST /roles');
    await visitor.screenshot('step-up-ended');
  });

  it('the console completes an action when the second factor takes longer than a call may', async () => {
    const { page } = visitor;
    await page.clock.install();
    const enrolled = await fillInRole();
    await create();
    await stepUp().getByLabel('Code').waitFor();
    await page.clock.fastForward('03:00');
    await stepUp().getByLabel('Code').fill(code(enrolled));
    await stepUp().getByRole('button', { name: 'Confirm' }).click();
    await dialog('Create a role').waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: /release-manager/ }).waitFor();
  });

  it('the console leaves a form unchanged when the person cancels the second factor', async () => {
    const { page } = visitor;
    await fillInRole();
    await create();
    await stepUp().getByLabel('Code').waitFor();
    await page.keyboard.press('Escape');
    await stepUp().waitFor({ state: 'detached' });
    const form = dialog('Create a role');
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('release-manager');
    expect(await form.getByLabel('Launch scans').isChecked()).toBe(true);
    const { items } = (await server.call('/roles', { headers: user.key })).json;
    expect(items.map(({ name }: { name: string }) => name)).not.toContain('release-manager');
  });

  it('the console says how to get a second factor to a person who has none', async () => {
    await visitor.goto('/roles');
    await visitor.signIn(user.email, user.password);
    await visitor.page.getByRole('button', { name: 'Create role' }).click();
    await dialog('Create a role').getByLabel('Name').fill('release-manager');
    await dialog('Create a role').getByLabel('Launch scans').check();
    await create();
    await stepUp().getByText('Set up an authenticator app in your account').waitFor();
    await stepUp().getByRole('button', { name: 'Close' }).click();
    await stepUp().waitFor({ state: 'detached' });
    expect(await dialog('Create a role').getByLabel('Name').inputValue()).toBe('release-manager');
  });

  it('the console signs in with a code of the authenticator, and refuses a wrong one', async () => {
    const { page } = visitor;
    const enrolled = await setUp();
    await visitor.goto('/projects');
    await visitor.signIn(user.email, user.password);
    await page.getByLabel('Authentication code').fill('12');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The code has 6 digits.').waitFor();
    await page.getByLabel('Authentication code').fill('000000');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The code is not valid.').waitFor();
    await page.getByLabel('Authentication code').fill(code(enrolled));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  });

  it('the console signs in with a recovery code, once', async () => {
    const { page } = visitor;
    const { recoveryCodes } = await setUp();
    const recover = async () => {
      await visitor.signIn(user.email, user.password);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
      await page.getByRole('button', { name: 'Verify' }).click();
    };
    await visitor.goto('/projects');
    await recover();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await recover();
    await page.getByText('The code is not valid.').waitFor();
  });
});
