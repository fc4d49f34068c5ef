import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { Belongings } from '../kit/fixtures.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('schedules in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let user: TestUser;
  let person: Analyst;
  let project: string;
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
    user = await server.people.user({ role: 'analyst' });
    person = new Analyst(server, user.key, user.tenant.id);
    const has = new Belongings(server.services, server.database, user.tenant);
    ({ name: project } = await has.project());
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(() => visitor.close());

  const open = async (by = user) => {
    await visitor.goto('/schedules');
    await visitor.signIn(by.email, by.password);
  };

  const create = (name: string, changes: object = {}) =>
    person.ask(201, '/schedules', {
      method: 'POST',
      body: { name, projects: [project], profile: 'full', cron: '0 3 * * *', ...changes },
    });

  it('the schedules page creates a schedule with a preview in both time zones, edits, disables, enables and deletes it', async () => {
    await open();
    const { page } = visitor;
    await page.getByText('There are no schedules').waitFor();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('<b>Nightly</b>');
    await dialog.getByLabel('Time zone').fill('Australia/Lord_Howe');
    const runs = dialog.getByRole('table', { name: 'Next runs' });
    await runs.getByRole('columnheader', { name: 'Australia/Lord_Howe' }).waitFor();
    await expect.poll(() => runs.getByRole('row').count()).toBe(6);
    await expect.poll(() => runs.getByRole('columnheader').count()).toBe(2);
    await runs.getByText('3:00 AM', { exact: false }).first().waitFor();
    await dialog.getByRole('button', { name: 'Create schedule' }).click();
    await dialog.getByText('Choose at least one project.').waitFor();
    await dialog.getByLabel(project).check();
    await dialog.getByLabel('Cron expression').fill('*/5 * * * *');
    await dialog
      .getByText(
        'A schedule runs at most once an hour: the minute must be one number from 0 to 59.',
      )
      .waitFor();
    expect(await runs.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Create schedule' }).click();
    await dialog.getByRole('alert').getByText('Correct the marked fields.').waitFor();
    expect(await dialog.getByText('more often than once an hour').count()).toBe(1);
    await dialog.getByLabel('Cron expression').fill('0 4 * *');
    await dialog.getByText('The next runs appear here').waitFor();
    await dialog.getByLabel('Cron expression').fill('0 4 * * MON');
    await dialog.getByRole('button', { name: 'Create schedule' }).click();
    await dialog.waitFor({ state: 'detached' });

    const row = page.getByRole('row', { name: /<b>Nightly<\/b>/ });
    await row.getByText('0 4 * * MON').waitFor();
    await row.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByLabel('Name').fill('Weekly');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    const renamed = page.getByRole('row', { name: /Weekly/ });
    await renamed.getByRole('button', { name: 'Disable Weekly' }).click();
    await renamed.getByText('Disabled').waitFor();
    await renamed.getByRole('button', { name: 'Enable Weekly' }).click();
    await renamed.getByRole('button', { name: 'Disable Weekly' }).waitFor();
    const { items } = await person.ask(200, '/schedules');
    expect(items).toMatchObject([
      { name: 'Weekly', cron: '0 4 * * MON', timezone: 'Australia/Lord_Howe', enabled: true },
    ]);

    await renamed.getByRole('button', { name: 'Delete Weekly' }).click();
    await dialog.getByRole('button', { name: 'Delete schedule' }).click();
    await page.getByText('There are no schedules').waitFor();
    expect((await person.ask(200, '/schedules')).items).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it('disabling a schedule keeps what somebody else has changed since the page was opened', async () => {
    const { id } = await create('nightly');
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Disable nightly' }).waitFor();
    const cron = { cron: '30 5 * * 1', timezone: 'UTC' };
    const body = { name: 'weekly', projects: [project], profile: 'full', ...cron, enabled: true };
    await person.ask(200, `/schedules/${id}`, { method: 'PUT', body });
    await page.getByRole('button', { name: 'Disable nightly' }).click();
    await page.getByRole('button', { name: 'Enable weekly' }).waitFor();
    expect(await person.ask(200, `/schedules/${id}`)).toMatchObject({ ...body, enabled: false });
  });

  it('schedules are disabled at the same time, each with its name, and a refusal is shown in its row', async () => {
    for (const name of ['first', 'second', 'third']) await create(name);
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Disable third' }).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/schedules/*', async (route) => {
      if (route.request().method() === 'PUT') await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Disable first' }).click();
    await page.getByRole('button', { name: 'Disable second' }).click();
    await page.locator('[aria-disabled=true][aria-label="Disable second"]').waitFor();
    release();
    await page.getByText('Schedule “first” disabled').waitFor();
    await page.getByText('Schedule “second” disabled').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    const { items } = await person.ask(200, '/schedules');
    const isEnabled = Object.fromEntries(
      items.map((one: { name: string; enabled: boolean }) => [one.name, one.enabled]),
    );
    expect(isEnabled).toEqual({ first: false, second: false, third: true });

    const { id } = items.find(({ name }: { name: string }) => name === 'third');
    await server.call(`/schedules/${id}`, { method: 'DELETE', headers: user.key });
    await page.getByRole('button', { name: 'Disable third' }).click();
    await page.getByRole('row', { name: /third/ }).getByRole('alert').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('schedules-refused');
  });

  it('editing a schedule does not enable it again when it was disabled since the page was opened', async () => {
    const { id } = await create('nightly');
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Edit nightly' }).click();
    const known = await person.ask(200, `/schedules/${id}`);
    const { name, projects, profile, cron, timezone } = known;
    const body = { name, projects, profile, cron, timezone, enabled: false };
    await person.ask(200, `/schedules/${id}`, { method: 'PUT', body });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('weekly');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Enable weekly' }).waitFor();
    expect(await person.ask(200, `/schedules/${id}`)).toMatchObject({ ...body, name: 'weekly' });
  });

  it('the form of a schedule sets whether inventories are pulled first, for people who may', async () => {
    const { id } = await create('nightly');
    await open();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const pull = dialog.getByRole('checkbox', { name: /^Pull a new inventory/ });
    await page.getByRole('button', { name: 'Edit nightly' }).click();
    await pull.check();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    // The project has no source.
    await dialog
      .getByRole('alert')
      .getByText(/source/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const pulled = 'UPDATE schedules SET pull_first = true WHERE id = $1 RETURNING id';
    await rowsOf(server.database, user.tenant.id, pulled, [id]);
    await page.reload();
    await page.getByText('Pulls inventories first').waitFor();
    await page.getByRole('button', { name: 'Edit nightly' }).click();
    expect(await pull.isChecked()).toBe(true);
    await pull.uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await person.ask(200, `/schedules/${id}`)).toMatchObject({ pullFirst: false });

    const { tenant } = user;
    const other = await server.people.user({ tenant, role: ['scans.launch', 'projects.read'] });
    await visitor.close();
    visitor = await ConsoleVisitor.open(browser, server);
    await open(other);
    await visitor.page.getByRole('button', { name: 'Create schedule' }).click();
    await visitor.page.getByLabel('Cron expression').waitFor();
    expect(await visitor.page.getByRole('checkbox', { name: /^Pull/ }).count()).toBe(0);
  });

  it('a change that fails after its dialog was closed is reported', async () => {
    const { id } = await create('nightly');
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Edit nightly' }).click();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/schedules/${id}`, async (route) => {
      await held;
      await route.continue();
    });
    const dialog = page.getByRole('dialog');
    const sent = page.waitForRequest(`**/schedules/${id}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await sent;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await person.ask(204, `/schedules/${id}`, { method: 'DELETE' });
    release();
    const notifications = page.getByRole('region', { name: 'Notifications' });
    await notifications.getByText('The schedule was deleted meanwhile.').waitFor();
  });

  it('a deleted project can be taken out of a schedule', async () => {
    const { id } = await create('nightly', { projects: [project, await person.project()] });
    const { projects } = await person.ask(200, `/schedules/${id}`);
    const deleted = projects.find((one: string) => one !== project);
    await person.ask(204, `/projects/${deleted}`, { method: 'DELETE' });
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Edit nightly' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: `${deleted} Deleted` }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await person.ask(200, `/schedules/${id}`)).projects).toEqual([project]);
  });

  it('the schedules page shows why a schedule was disabled or blocked', async () => {
    const [disabled, blocked] = [await create('Left behind'), await create('Stuck')];
    await server.database.owner.query(`SELECT set_config('app.tenant_id', '${user.tenant.id}', true);
      UPDATE schedules SET enabled = false, next_run_at = NULL, disabled_code = 'CREATOR_REMOVED', disabled_at = now()
        WHERE id = '${disabled.id}';
      UPDATE schedules SET last_run_at = now(), last_problem = 'Profile "x" does not exist.' WHERE id = '${blocked.id}'`);
    await open();
    const { page } = visitor;
    await page.getByText('has left the tenant').waitFor();
    const row = page.getByRole('row', { name: /Stuck/ });
    await row.getByText('Blocked').waitFor();
    await row.getByText('Profile "x" does not exist.').waitFor();
  });

  it('the schedules page is refused without the permission to launch scans', async () => {
    await open(await server.people.user({ tenant: user.tenant, role: 'viewer' }));
    await visitor.page.getByText('Your role lacks the permission scans.launch.').waitFor();
  });

  it('the schedules page has no accessibility violations in either theme', async () => {
    await create('Nightly');
    await open();
    const { page } = visitor;
    for (const theme of ['light', 'dark']) {
      await page.getByRole('table').waitFor();
      if (theme === 'dark') await page.getByRole('button', { name: 'Use the dark theme' }).click();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`schedules-${theme}`);
      await page.getByRole('button', { name: 'Create schedule' }).click();
      await page.getByRole('dialog').getByLabel(project).waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`schedules-create-${theme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('the schedules page uses at most three requests', async () => {
    await open();
    await visitor.page.getByText('There are no schedules').waitFor();
    const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/login'));
    expect(requests).toEqual(['GET /auth/me', 'GET /schedules?limit=100']);
  });
});
