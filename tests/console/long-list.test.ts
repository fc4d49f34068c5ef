import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { rowsOf } from '../kit/owner-queries.ts';

const FINDINGS = 100_000;
/** Frames over which the list is scrolled, by half a screen each: more than a person can. */
const FRAMES = 240;
/** CPU time from which browsers call a task long, in milliseconds. Far more than a frame takes on a quiet machine. */
const LONG_TASK_MS = 50;

/** Findings of a project ($2) of a tenant ($1), with titles of different lengths. */
const PLANT = `
  INSERT INTO findings (tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type, subject,
    message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id, observed_decided)
  SELECT $1::uuid, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2::uuid, sha256(n::text::bytea),
    'bucket-public', (ARRAY['critical', 'high', 'medium', 'low', 'info'])[1 + n % 5], 'Finding ' || n,
    '//storage.googleapis.com/bucket-' || n, 'storage.googleapis.com/Bucket', '', repeat('Anybody can read it. ', 1 + n % 4),
    '[]', 'open', 'new', now(), now(), gen_random_uuid(), false
  FROM generate_series(1, $3::int) AS n`;

/** Scrolls by half a screen in each frame. @returns the most rows that the page had at once. */
function scroll(page: Page): Promise<number> {
  return page.evaluate(async (frames) => {
    const scroller = document.querySelector('[role=grid] [aria-label=Rows]');
    if (scroller === null) throw new Error('There is no list');
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let rows = 0;
    let direction = 1;
    for (let frame = 0; frame < frames; frame += 1) {
      const end = scroller.scrollHeight - scroller.clientHeight;
      if (scroller.scrollTop >= end - 1) direction = -1;
      if (scroller.scrollTop <= 0) direction = 1;
      scroller.scrollTop += (direction * scroller.clientHeight) / 2;
      await next();
      rows = Math.max(rows, scroller.querySelectorAll('[role=row]').length);
    }
    return rows;
  }, FRAMES);
}

/** The time that the page has spent in scripts, styles and layout, in milliseconds. Waiting is not counted. */
async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

describe.skipIf(noBrowser !== null)('a list of 100,000 findings', () => {
  const site = consoleFixture();

  it('a list of 100,000 findings scrolls with few rows in the page and little work per frame', async () => {
    const user = await site.server.people.user();
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const values = [user.tenant.id, made.json.id, FINDINGS];
    await rowsOf(site.server.database, user.tenant.id, PLANT, values);
    const { page, context } = await site.open('/findings', user);
    await page.getByText('200 of 100,000 loaded').waitFor();
    const session = await context.newCDPSession(page);
    // In thread time, so that other programs of the machine do not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await scroll(page);
    const before = await taskMs(session);
    const rows = await scroll(page);
    const perFrame = ((await taskMs(session)) - before) / FRAMES;
    expect(rows).toBeLessThan(60);
    expect(perFrame).toBeLessThan(LONG_TASK_MS);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(`${FINDINGS + 1}`);
  });
});
