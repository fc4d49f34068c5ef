import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { signOut } from '../kit/console-journeys.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestTenant, TestUser } from '../kit/people.ts';

describe.skipIf(noBrowser !== null)('a sign-in in another tab of the console', () => {
  const site = consoleFixture();

  /** An administrator of two tenants, each of which has a role `ops`. */
  async function adminOfTwo(): Promise<{ user: TestUser; other: TestTenant }> {
    const user = await site.server.people.user();
    const other = await site.server.people.tenant();
    await site.server.people.join(user, other, 'admin');
    for (const { id } of [user.tenant, other]) {
      await site.server.database.owner.query(
        'INSERT INTO identity.roles (tenant_id, name, permissions) VALUES ($1, $2, $3)',
        [id, 'ops', ['scans.read']],
      );
    }
    return { user, other };
  }

  /** The page of roles as one person sees it, and a second tab that shows the sign-in page. */
  async function openTwo(user: TestUser, search: string) {
    const visitor = await site.visit();
    const second = await visitor.tab();
    await second.goto(`/sign-in?next=/account${search}`);
    await second.page.getByLabel('Password').waitFor();
    await visitor.goto(`/sign-in?tenant=${user.tenant.id}&next=/roles`);
    await signInWithCode(visitor, site.server, user);
    await visitor.page.getByRole('columnheader', { name: 'admin' }).waitFor();
    return { page: visitor.page, second };
  }

  /** A form for a role whose call needs a second factor. The code of the question loads when the test releases it. */
  async function openSlowQuestion(user: TestUser, search: string) {
    const visitor = await site.visit();
    const { page } = visitor;
    const second = await visitor.tab();
    await second.goto(`/sign-in?next=/account${search}`);
    await second.page.getByLabel('Password').waitFor();
    await visitor.goto(`/sign-in?tenant=${user.tenant.id}&next=/roles`);
    await visitor.signIn(user.email, user.password);
    const { released, release } = hold();
    const loading = page.waitForRequest(/StepUpDialog.*js/);
    const loaded = page.waitForEvent('requestfinished', (one) =>
      /StepUpDialog.*js/.test(one.url()),
    );
    await page.route(/StepUpDialog/, async (route) => {
      await released;
      await route.continue();
    });
    await fillIn(page);
    await create(page);
    await loading;
    const load = async () => {
      release();
      await loaded;
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 100)));
    };
    return { visitor, page, second, release: load };
  }

  async function signInThere(second: ConsoleVisitor, user: TestUser): Promise<void> {
    site.server.clock.advance({ seconds: 60 });
    await signInWithCode(second, site.server, user);
    await second.page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
  }

  const tenantShown = (page: Page, { name }: TestTenant) =>
    page
      .getByRole('button', { name: /^Tenant/ })
      .getByText(name)
      .waitFor();
  const personShown = (page: Page, { email }: TestUser) =>
    page
      .getByRole('button', { name: /Account of/ })
      .getByText(email)
      .waitFor();
  const drafts = (page: Page) =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('cspm-draft')));
  const form = (page: Page) => page.getByRole('dialog', { name: 'Create a role' });
  const openForm = (page: Page) =>
    page.getByRole('button', { name: 'Create role' }).first().click();
  async function fillIn(page: Page): Promise<void> {
    await openForm(page);
    await form(page).getByLabel('Name', { exact: true }).fill('of-the-first');
    await form(page).getByLabel('See projects').check();
  }
  const notCompleted = (page: Page) => page.getByText('The action was not completed');
  const create = (page: Page) => form(page).getByRole('button', { name: 'Create role' }).click();

  it('a question about deleting ends when another tab signs in to another tenant', async () => {
    const { user, other } = await adminOfTwo();
    const { page, second } = await openTwo(user, `&tenant=${other.id}`);
    await page.getByRole('button', { name: 'Actions for the role ops' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete the role ops?' }).waitFor();
    await signInThere(second, user);
    await tenantShown(page, other);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for the role ops' }).waitFor();
  });

  it('a form ends when another tab signs in to another tenant, and its draft stays with the first tenant', async () => {
    const { user, other } = await adminOfTwo();
    const { page, second } = await openTwo(user, `&tenant=${other.id}`);
    await openForm(page);
    await form(page).getByLabel('Name', { exact: true }).fill('of-the-first');
    await signInThere(second, user);
    await tenantShown(page, other);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await openForm(page);
    expect(await form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('');
    expect(await drafts(page)).toEqual([`cspm-draft ${user.id} ${user.tenant.id} role new`]);
  });

  it('a form ends when another tab signs in another person, and its draft is forgotten', async () => {
    const user = await site.server.people.user();
    const person = await site.server.people.user();
    const { page, second } = await openTwo(user, '');
    await openForm(page);
    await form(page).getByLabel('Name', { exact: true }).fill('of-the-first');
    expect(await drafts(page)).toHaveLength(1);
    await signInThere(second, person);
    await personShown(page, person);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => drafts(page)).toEqual([]);
    await openForm(page);
    expect(await form(page).getByLabel('Name', { exact: true }).inputValue()).toBe('');
    expect(await page.content()).not.toContain(user.email);
  });

  it('a question for a second factor ends when another tab signs in to another tenant, and its call is not repeated there', async () => {
    const { user, other } = await adminOfTwo();
    const visitor = await site.visit();
    const { page } = visitor;
    const second = await visitor.tab();
    await second.goto(`/sign-in?next=/account&tenant=${other.id}`);
    await second.page.getByLabel('Password').waitFor();
    await visitor.goto(`/sign-in?tenant=${user.tenant.id}&next=/roles`);
    await visitor.signIn(user.email, user.password);
    await openForm(page);
    await form(page).getByLabel('Name', { exact: true }).fill('of-the-first');
    await form(page).getByLabel('See projects').check();
    await form(page).getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    const sent: string[] = [];
    page.on('request', (one) => sent.push(`${one.method()} ${new URL(one.url()).pathname}`));
    await signInThere(second, user);
    await tenantShown(page, other);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.quiet();
    expect(sent).not.toContain('POST /roles');
  });

  it.each([
    [401, 'UNAUTHORIZED'],
    [403, 'MFA_REQUIRED'],
    [429, 'RATE_LIMITED'],
  ])(
    'a call that is refused with %s %s after another tab has signed in to another tenant is not repeated there',
    async (status, code) => {
      const { user, other } = await adminOfTwo();
      const { page, second } = await openTwo(user, `&tenant=${other.id}`);
      const { released: switched, release: answer } = hold();
      const sent: string[] = [];
      await page.route('**/roles', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        sent.push(code);
        await switched;
        return route.fulfill({
          status,
          contentType: 'application/problem+json',
          headers: { 'retry-after': '1' },
          body: JSON.stringify({ status, code, title: code, detail: code }),
        });
      });
      await fillIn(page);
      await create(page);
      await expect.poll(() => sent).toHaveLength(1);
      await signInThere(second, user);
      await tenantShown(page, other);
      answer();
      // A call that is repeated fails the test at once.
      const isOver = async () => sent.length > 1 || (await notCompleted(page).count()) > 0;
      await expect.poll(isOver).toBe(true);
      expect(sent).toHaveLength(1);
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );

  it('a form of the former tenant sends nothing while the tab does not know yet where another tab has signed in', async () => {
    const { user, other } = await adminOfTwo();
    const { page, second } = await openTwo(user, `&tenant=${other.id}`);
    await fillIn(page);
    const { released: known, release: answer } = hold();
    const asked = page.waitForRequest('**/auth/me');
    await page.route('**/auth/me', async (route) => {
      await known;
      await route.continue();
    });
    await signInThere(second, user);
    await asked;
    const sent: string[] = [];
    page.on('request', (one) => sent.push(`${one.method()} ${new URL(one.url()).pathname}`));
    await create(page);
    const isOver = async () =>
      sent.includes('POST /roles') || (await notCompleted(page).count()) > 0;
    await expect.poll(isOver).toBe(true);
    answer();
    await tenantShown(page, other);
    expect(sent).not.toContain('POST /roles');
  });

  it('an answer about the former tenant that comes late does not replace the tenant that is shown', async () => {
    const { user, other } = await adminOfTwo();
    const { page, second } = await openTwo(user, `&tenant=${other.id}`);
    const { released, release } = hold();
    let isHeld = false;
    await page.route(
      '**/auth/me',
      async (route) => {
        const response = await route.fetch();
        isHeld = true;
        await released;
        await route.fulfill({ response }).catch(() => undefined);
      },
      { times: 1 },
    );
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    await expect.poll(() => isHeld).toBe(true);
    await signInThere(second, user);
    await tenantShown(page, other);
    const late = page.waitForEvent('requestfinished', (one) => one.url().endsWith('/auth/me'));
    release();
    await late;
    await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 100)));
    expect(await page.getByRole('button', { name: /^Tenant/ }).innerText()).toContain(other.name);
  });

  it('a question for a second factor whose code loads slowly is not asked of the tenant that another tab signs in to', async () => {
    const { user, other } = await adminOfTwo();
    const { page, second, release } = await openSlowQuestion(user, `&tenant=${other.id}`);
    await signInThere(second, user);
    await tenantShown(page, other);
    await release();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('a question for a second factor whose code loads slowly is not asked of the person who signs in next', async () => {
    const user = await site.server.people.user();
    const person = await site.server.people.user();
    const { visitor, page, second, release } = await openSlowQuestion(user, '');
    await second.goto('/account');
    await second.page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    await signOut(second);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await visitor.signIn(person.email, person.password);
    await personShown(page, person);
    await release();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('a tab says that another tab has signed in to another tenant, and that it shows that one', async () => {
    const { user, other } = await adminOfTwo();
    const { page, second } = await openTwo(user, `&tenant=${other.id}`);
    await signInThere(second, user);
    await page
      .getByText(`Another tab has signed in to ${other.name}. This tab has switched too.`)
      .waitFor();
  });

  it('a tab says that another tab has signed in another person, and that it shows their data', async () => {
    const user = await site.server.people.user();
    const person = await site.server.people.user();
    const { page, second } = await openTwo(user, '');
    await signInThere(second, person);
    await page
      .getByText(`Another tab has signed in as ${person.email}. This tab has switched too.`)
      .waitFor();
  });

  it('the draft of a form is forgotten when another tab signs in another person before this tab has loaded the sign-in page', async () => {
    const user = await site.server.people.user();
    const person = await site.server.people.user();
    const visitor = await site.visit();
    const { page } = visitor;
    await visitor.goto('/roles');
    await signInWithCode(visitor, site.server, user);
    await page.getByRole('button', { name: 'Create role' }).first().waitFor();
    const { released, release } = hold();
    await page.route(/SignInPage/, async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await openForm(page);
    await form(page).getByLabel('Name', { exact: true }).fill('of-the-first');
    const second = await visitor.tab();
    await second.goto('/account');
    await second.page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    await signOut(second);
    await second.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await signInThere(second, person);
    release();
    await personShown(page, person);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => drafts(page)).toEqual([]);
  });
});

/** A promise that the test resolves. */
function hold() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}
