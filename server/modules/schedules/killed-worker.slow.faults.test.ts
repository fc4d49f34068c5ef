import { afterAll, beforeAll, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import {
  onDatabase,
  type ServerProcess,
  serverProcesses,
} from '../../../tests/kit/server-process.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { insertSchedule } from './queries.ts';

const start = serverProcesses();

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const PROCESSES = 3;
const TENANTS = 4;
const SCHEDULES = 30;
const ROUNDS = 3;

/** A server that also works the queue. */
async function started(): Promise<ServerProcess> {
  const begun = start({ ...onDatabase(server.database), APP_SECRET: TEST_APP_SECRET });
  await begun.line(/Serving on/);
  return begun;
}

/** A tenant with schedules that are due at no time of this test unless it says so. */
async function tenantWithSchedules(): Promise<string> {
  const user = await server.people.user();
  const { name } = await new Belongings(server.services, server.database, user.tenant).project();
  const createdAt = server.clock.now();
  const nextRunAt = new Date(createdAt.getTime() + 365 * 86_400_000);
  await server.services.tenants.write(user.tenant.id, async (db) => {
    for (let n = 0; n < SCHEDULES; n += 1) {
      const id = newId();
      const times = { cron: '0 0 1 1 *', timezone: 'UTC', pullFirst: false, enabled: true };
      const content = { name: id, projects: [name], profile: 'full', ...times };
      await insertSchedule(db, { id, ...content, createdById: user.id, createdAt, nextRunAt });
    }
  });
  return user.tenant.id;
}

/** Runs a statement as the owner of the tables, bound to a tenant. */
const inTenant = async (tenant: string, text: string) => {
  const { owner } = server.database;
  await owner.query("SELECT set_config('app.tenant_id', $1, false)", [tenant]);
  return (await owner.query(text)).rows;
};

const makeDue = (tenant: string) =>
  inTenant(tenant, "UPDATE schedules SET next_run_at = date_trunc('milliseconds', now())");

const countOf = async (tenant: string, text: string): Promise<number> =>
  (await inTenant(tenant, `SELECT count(*)::int AS count FROM ${text}`))[0]?.count;

it('schedules launch each due scan exactly once although servers and workers are killed during the launches', async () => {
  const tenants: string[] = [];
  while (tenants.length < TENANTS) tenants.push(await tenantWithSchedules());
  const launched = async () => {
    let sum = 0;
    for (const tenant of tenants) sum += await countOf(tenant, 'scans');
    return sum;
  };
  let running = await Promise.all(Array.from({ length: PROCESSES }, started));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = await launched();
    for (const tenant of tenants) await makeDue(tenant);
    // Killed during the launches, one after the other, and the last two at once.
    const share = Math.floor((TENANTS * SCHEDULES) / (PROCESSES + 1));
    const [first, ...others] = running;
    await until('the first launches', async () => (await launched()) > before);
    await first?.kill();
    running = [...others, await started()];
    await until('more launches', async () => (await launched()) >= before + share);
    await Promise.all(others.map((one) => one.kill()));
    running = [...running.slice(-1), ...(await Promise.all(others.map(() => started())))];
    await until('the end of all runs', async () => {
      const { rows } = await server.database.owner.query(
        'SELECT 1 FROM jobs.due_schedules(now(), 1)',
      );
      return rows.length === 0;
    });
    for (const tenant of tenants) {
      const counts = await inTenant(
        tenant,
        `SELECT (SELECT count(*)::int FROM scans c WHERE c.schedule_id = s.id) AS scans FROM schedules s`,
      );
      expect(counts).toEqual(Array.from({ length: SCHEDULES }, () => ({ scans: round })));
      // Each has its job and its audit row, as they are one transaction.
      const scans = await countOf(tenant, 'scans');
      expect(await countOf(tenant, 'scan_projects')).toBe(scans);
      expect(await countOf(tenant, "audit_events WHERE action = 'scan.launched'")).toBe(scans);
    }
  }
}, 600_000);
