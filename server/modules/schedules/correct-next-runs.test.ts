import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { createLogger } from '../../platform/logger.ts';
import { nextRunsTask } from './correct-next-runs.ts';

let server: TestServer;
let correct: () => Promise<void>;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer();
  // No run of these tests is due within the next hour.
  server.clock.advance({ hours: 36 - server.clock.now().getUTCHours() });
  const pool = testPool(server.database.workerUrl, { maxConnections: 1 });
  const { clock, services } = server;
  const { tenants } = services;
  const task = nextRunsTask({ pool, tenants, clock, log: createLogger('silent') });
  correct = () => task({}, { isLast: false, isStopping: () => false });
  close = () => pool.end();
});

afterAll(async () => {
  await close();
  await server.close();
});

async function schedules(...crons: string[]) {
  const analyst = await Analyst.at(server);
  const project = await analyst.project([bucket('b')]);
  const ids = await Promise.all(
    crons.map(async (cron, at) => {
      const body = { name: `${at}`, projects: [project], profile: 'full', cron };
      return (await analyst.ask(201, '/schedules', { method: 'POST', body })).id;
    }),
  );
  const seen = (id: string) => analyst.ask(200, `/schedules/${id}`);
  const nextRuns = () => Promise.all(ids.map(async (id) => (await seen(id)).nextRunAt));
  return { tenantId: analyst.tenantId, ids, nextRuns };
}

it('a schedule whose next run was computed by a clock that was a year ahead runs at its next time', async () => {
  const { tenantId, nextRuns } = await schedules('15 4 * * *', '15 4 * * SUN', '15 4 29 2 *');
  const before = await nextRuns();
  await rowsOf(
    server.database,
    tenantId,
    "UPDATE schedules SET next_run_at = next_run_at + interval '400 days'",
  );
  await correct();
  expect(await nextRuns()).toEqual(before);
  const { rows } = await server.database.owner.query(
    'SELECT due_at FROM jobs.schedule_dues WHERE tenant_id = $1',
    [tenantId],
  );
  const due = rows.map(({ due_at: at }) => at.toISOString());
  expect(due.sort()).toEqual([...before].sort());
});

it('a run that another process has launched is not due again for a process whose clock is behind', async () => {
  const { tenantId, ids, nextRuns } = await schedules('15 4 * * SUN');
  const [next] = await nextRuns();
  const later = new Date(new Date(next).getTime() + 7 * 86_400_000);
  await rowsOf(server.database, tenantId, 'UPDATE schedules SET next_run_at = $2 WHERE id = $1', [
    ids[0],
    later,
  ]);
  // Less than an hour before the run that was launched.
  server.clock.advance({
    hours: (new Date(next).getTime() - server.clock.now().getTime()) / 3_600_000 - 0.5,
  });
  await correct();
  expect(await nextRuns()).toEqual([later.toISOString()]);
});
