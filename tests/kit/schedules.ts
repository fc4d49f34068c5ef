import type { contract } from '@cspm/contract';
import type { z } from 'zod';
import { runSchedule } from '../../server/modules/schedules/launch.ts';
import { newId } from '../../server/platform/ids.ts';
import type { Analyst } from './analyst.ts';
import type { TestServer } from './test-server.ts';

export type Schedule = z.infer<(typeof contract.schedules.get.responses)[200]>;

const HOURLY = { profile: 'full', cron: '30 * * * *', timezone: 'UTC', pullFirst: false };

/** Creates a schedule of one project that is due each hour, unless `changes` say otherwise. */
export async function createSchedule(
  person: Analyst,
  project: string,
  changes: object = {},
): Promise<Schedule> {
  const body = { name: newId(), projects: [project], ...HOURLY, enabled: true, ...changes };
  return person.ask(201, '/schedules', { method: 'POST', body });
}

/** Changes some members of a schedule. */
export async function changeSchedule(
  person: Analyst,
  { id }: Schedule,
  changes: object,
): Promise<Schedule> {
  const seen: Schedule = await person.ask(200, `/schedules/${id}`);
  const { name, projects, profile, cron, timezone, pullFirst, enabled } = seen;
  const body = { name, projects, profile, cron, timezone, pullFirst, enabled, ...changes };
  return person.ask(200, `/schedules/${id}`, { method: 'PUT', body });
}

/** What workers find due at present, of all tenants. */
export async function dueSchedules({
  database,
  clock,
}: TestServer): Promise<{ tenantId: string; scheduleId: string }[]> {
  const { rows } = await database.owner.query(
    'SELECT tenant_id, schedule_id FROM jobs.due_schedules($1, 100)',
    [clock.now()],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, scheduleId: row.schedule_id }));
}

/** Runs everything due as several workers do that look at the same moment. */
export async function runDueSchedules(server: TestServer, workers = 1): Promise<void> {
  const { tenants, mail, clock } = server.services;
  const found = await dueSchedules(server);
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const one of found) await runSchedule({ tenants, mail, clock }, one);
    }),
  );
}

export async function scansOfSchedule(person: Analyst, { id }: Schedule) {
  return (await person.ask(200, '/scans?limit=100')).items.filter(
    ({ scheduleId }: { scheduleId: string }) => scheduleId === id,
  );
}
