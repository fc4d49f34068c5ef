import { describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { bucket } from '../kit/export-records.ts';
import { holdPost } from '../kit/held-request.ts';
import { rowsOf } from '../kit/owner-queries.ts';

describe.skipIf(noBrowser !== null)('the form of the console that launches a scan', () => {
  const site = consoleFixture();

  /** The form with one of two projects chosen. */
  async function openForm() {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const chosen = await analyst.project([bucket('chosen')]);
    const other = await analyst.project([bucket('other')]);
    const visitor = await site.open('/scans', user);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Launch scan' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Launch a scan' });
    const box = (name: string) => dialog.getByRole('checkbox', { name });
    await box(chosen).check();
    return { visitor, page, dialog, analyst, chosen, other, box };
  }

  it('the form of a scan keeps its choices during the check, and launches what was checked', async () => {
    const { page, dialog, visitor, chosen, other, box } = await openForm();
    const { sent, release } = await holdPost(page, '/preflight');
    await dialog.getByRole('button', { name: 'Check' }).click();
    const request = await sent;
    await box(other).click({ force: true });
    const profile = dialog.getByRole('combobox', { name: 'Profile' });
    await profile.click({ force: true });
    await profile.press('ArrowDown');
    expect(await page.getByRole('option').count()).toBe(0);
    expect(await box(other).isDisabled()).toBe(true);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    release();
    await dialog.getByText(/^Ready/).waitFor();
    const launched = await holdPost(page, '/scans');
    launched.release();
    await dialog.getByRole('button', { name: 'Launch scan' }).click();
    const expected = { projects: [chosen], profile: 'full' };
    expect(request.postDataJSON()).toEqual(expected);
    expect((await launched.sent).postDataJSON()).toEqual(expected);
    await page.getByRole('heading', { name: `Scan of ${chosen}` }).waitFor();
  });

  it('the form of a scan can be changed again after a check that failed', async () => {
    const { page, dialog, other, box } = await openForm();
    await page.route('**/preflight', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('alert').waitFor();
    await box(other).check();
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('the console does not open a scan whose form was closed before it was launched', async () => {
    const { page, dialog, visitor } = await openForm();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText(/^Ready/).waitFor();
    const { sent, release } = await holdPost(page, '/scans');
    await dialog.getByRole('button', { name: 'Launch scan' }).click();
    await sent;
    expect(await dialog.getByRole('button', { name: 'Back' }).isDisabled()).toBe(true);
    await visitor.move('/projects');
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    release();
    await page.getByText('Scan launched').waitFor();
    await visitor.quiet();
    expect(await page.getByRole('heading', { name: 'Projects', level: 1 }).count()).toBe(1);
  });

  it('a toast says why a scan could not be launched after its form was closed', async () => {
    const { page, dialog, analyst, visitor, chosen } = await openForm();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText(/^Ready/).waitFor();
    const { sent, release } = await holdPost(page, '/scans');
    await dialog.getByRole('button', { name: 'Launch scan' }).click();
    await sent;
    await visitor.move('/findings');
    await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
    await analyst.call(`/projects/${chosen}`, { method: 'DELETE' });
    const answer = page.waitForResponse((one) => one.request().method() === 'POST');
    release();
    expect((await answer).ok()).toBe(false);
    const corner = page.getByRole('region', { name: 'Notifications' });
    await corner.getByRole('button', { name: 'Close' }).waitFor();
    expect(await corner.getByText('Scan launched').count()).toBe(0);
  });

  it('a project that is not among the newest 100 can be chosen by its name', async () => {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const oldest = await analyst.project([bucket('chosen')]);
    await rowsOf(
      site.server.database,
      user.tenant.id,
      `INSERT INTO projects (tenant_id, id, name, created_at)
       SELECT $1::uuid, id, 'newer-' || n, now() + n * interval '1 ms' FROM unnest($2::uuid[]) WITH ORDINALITY AS newer(id, n)`,
      [user.tenant.id, Array.from({ length: 100 }, () => newId())],
    );
    const visitor = await site.open('/scans', user);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Launch scan' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Launch a scan' });
    const boxes = dialog.getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(100);
    const search = dialog.getByRole('searchbox', { name: 'Search projects' });
    await search.fill('newer-10');
    await dialog.getByText('2 projects shown').waitFor({ state: 'attached' });
    await expect.poll(() => boxes.count()).toBe(2);
    await search.fill(oldest);
    await dialog.getByRole('checkbox', { name: oldest }).check();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await search.fill('');
    await expect.poll(() => boxes.count()).toBe(101);
    expect(await dialog.getByRole('checkbox', { name: oldest }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText(/^Ready/).waitFor();
    await dialog.getByRole('button', { name: 'Launch scan' }).click();
    await page.getByRole('heading', { name: `Scan of ${oldest}` }).waitFor();
  });
});
