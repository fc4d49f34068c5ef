import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';

const RESTORED = 'What you entered before is restored.';

describe.skipIf(noBrowser !== null)('forms of the console after the session has ended', () => {
  const site = consoleFixture();

  async function openAs(user: TestUser, path: string): Promise<ConsoleVisitor> {
    const visitor = await site.visit();
    await visitor.goto(path);
    await signInWithCode(visitor, site.server, user);
    await visitor.page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
    return visitor;
  }

  /** Ends every session of a person on the server and signs them in again on the page. */
  async function loseSession(visitor: ConsoleVisitor, user: TestUser): Promise<void> {
    await site.server.database.owner.query(
      'UPDATE identity.sessions SET revoked_at = now() WHERE user_id = $1',
      [user.id],
    );
    await visitor.returnToTab();
    await visitor.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    site.server.clock.advance({ seconds: 60 });
    await signInWithCode(visitor, site.server, user);
    await visitor.page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
  }

  const drafts = (page: Page) =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('cspm-draft')));

  it('the form of a schedule is restored, and is empty again after it was discarded', async () => {
    const user = await site.server.people.user();
    const visitor = await openAs(user, '/schedules');
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Create a schedule' });
    const open = () => page.getByRole('button', { name: 'Create schedule' }).first().click();
    await open();
    await dialog.getByLabel('Name', { exact: true }).fill('weekly');
    await dialog.getByLabel('Cron expression').fill('0 4 * * MON');
    await loseSession(visitor, user);
    await open();
    await dialog.getByText(RESTORED).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('weekly');
    expect(await dialog.getByLabel('Cron expression').inputValue()).toBe('0 4 * * MON');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await drafts(page)).toEqual([]);
    await open();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  });

  it('the form of a role is restored, and its draft is forgotten when it is saved', async () => {
    const user = await site.server.people.user();
    const visitor = await openAs(user, '/roles');
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Create a role' });
    const open = () => page.getByRole('button', { name: 'Create role' }).first().click();
    await open();
    await dialog.getByLabel('Name', { exact: true }).fill('ops');
    await dialog.getByLabel('See projects').check();
    await loseSession(visitor, user);
    await open();
    await dialog.getByText(RESTORED).waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('ops');
    expect(await dialog.getByLabel('See projects').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await page.getByText('Role created').waitFor();
    expect(await drafts(page)).toEqual([]);
  });

  it('the form of an invitation is restored', async () => {
    const user = await site.server.people.user();
    const visitor = await openAs(user, '/people');
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByLabel('E-mail').fill('ada@example.com');
    await dialog.getByLabel('Name').fill('Ada');
    await loseSession(visitor, user);
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText(RESTORED).waitFor();
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Ada');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await drafts(page)).toEqual([]);
  });

  it('the form of the tenant is restored, and its draft and the notice of it are gone after it was saved', async () => {
    const user = await site.server.people.user();
    const visitor = await openAs(user, '/tenant');
    const { page } = visitor;
    await page.getByLabel('Own domains').fill('typed.example.com');
    await loseSession(visitor, user);
    await page.getByText(RESTORED).waitFor();
    expect(await page.getByLabel('Own domains').inputValue()).toBe('typed.example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Settings saved').waitFor();
    await expect.poll(() => drafts(page)).toEqual([]);
    await page.getByText(RESTORED).waitFor({ state: 'detached' });
    await page.getByLabel('Own domains').fill('another.example.com');
    await expect.poll(() => drafts(page)).toHaveLength(1);
    expect(await page.getByText(RESTORED).count()).toBe(0);
  });

  it('the reason of a mute is restored for the finding that it was written for, and not for another one', async () => {
    const user = await site.server.people.user();
    const project = await site.server.call('/projects', {
      ...{ method: 'POST', headers: user.key, body: { name: 'shop-prod' } },
    });
    await plantFindings(site.server.database, user.tenant.id, project.json.id, [
      { title: 'Bucket is public' },
      { title: 'Bucket keeps no usage logs' },
    ]);
    const visitor = await openAs(user, '/findings');
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    const reason = dialog.getByLabel('Reason');
    const openMute = async (title: string) => {
      await page.getByRole('button', { name: title }).click();
      const panel = page.getByRole('complementary', { name: `Finding: ${title}` });
      await panel.getByRole('button', { name: 'Mute' }).click();
      await dialog.waitFor();
    };
    await openMute('Bucket is public');
    await reason.fill('A static site');
    await dialog.getByRole('radio', { name: '30 days' }).check({ force: true });
    await loseSession(visitor, user);
    await visitor.goto('/findings');
    await openMute('Bucket keeps no usage logs');
    expect(await reason.inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await openMute('Bucket is public');
    await dialog.getByText(RESTORED).waitFor();
    expect(await reason.inputValue()).toBe('A static site');
    expect(await dialog.getByRole('radio', { name: '30 days' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await page.getByText(/^Finding muted until/).waitFor();
    expect(await drafts(page)).toEqual([]);
  });

  it('the reason of a mute of selected findings is not restored for another selection of the same size', async () => {
    const user = await site.server.people.user();
    const project = await site.server.call('/projects', {
      ...{ method: 'POST', headers: user.key, body: { name: 'shop-prod' } },
    });
    const titles = ['First', 'Second', 'Third'];
    const planted = titles.map((title) => ({ title }));
    await plantFindings(site.server.database, user.tenant.id, project.json.id, planted);
    const visitor = await openAs(user, '/findings');
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Mute 2 findings' });
    const reason = dialog.getByLabel('Reason');
    const check = (title: string) =>
      page.getByRole('checkbox', { name: new RegExp(`^Select ${title}`) }).click();
    const openMute = async () => {
      const bar = page.getByRole('toolbar', { name: 'Selected findings' });
      await bar.getByRole('button', { name: 'Mute' }).click();
      await dialog.waitFor();
    };
    // The newest finding is the first one of the list and of every selection.
    await check('Third');
    await check('Second');
    await openMute();
    await reason.fill('A static site');
    await loseSession(visitor, user);
    await visitor.goto('/findings');
    await check('Third');
    await check('First');
    await openMute();
    expect(await reason.inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await check('First');
    await check('Second');
    await openMute();
    await dialog.getByText(RESTORED).waitFor();
    expect(await reason.inputValue()).toBe('A static site');
  });

  it('the form of a mute by conditions is restored, and its draft is forgotten when it is saved', async () => {
    const user = await site.server.people.user();
    const visitor = await openAs(user, '/mutes');
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Create a mute' });
    const open = () => page.getByRole('button', { name: 'Create mute' }).first().click();
    await open();
    await dialog.getByLabel('Asset', { exact: true }).fill('//storage.googleapis.com/shop-*');
    await dialog.getByLabel('Reason').fill('Public on purpose');
    await loseSession(visitor, user);
    await open();
    await dialog.getByText(RESTORED).waitFor();
    expect(await dialog.getByLabel('Asset', { exact: true }).inputValue()).toBe(
      '//storage.googleapis.com/shop-*',
    );
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Public on purpose');
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    await page.getByText('Mute created').waitFor();
    expect(await drafts(page)).toEqual([]);
  });

  it('the name of an API key is not kept in the tab', async () => {
    const user = await site.server.people.user();
    const { page } = await openAs(user, '/api-keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('pipeline');
    expect(await drafts(page)).toEqual([]);
  });

  it('a dialog whose save finds the session ended stays until the sign-in page is loaded', async () => {
    const user = await site.server.people.user();
    const { page } = await openAs(user, '/roles');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/SignInPage/, async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('button', { name: 'Create role' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create a role' });
    await dialog.getByLabel('Name', { exact: true }).fill('ops');
    await dialog.getByLabel('See projects').check();
    const body = JSON.stringify({
      ...{ type: '/problems/unauthorized', title: 'No valid credential', status: 401 },
      ...{ code: 'UNAUTHORIZED', detail: 'The session has ended.' },
    });
    const answer = { status: 401, contentType: 'application/problem+json', body };
    for (const path of ['**/roles', '**/auth/refresh']) {
      await page.route(path, (route) =>
        route.request().method() === 'POST' ? route.fulfill(answer) : route.continue(),
      );
    }
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await dialog.getByRole('alert').waitFor();
    release();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
