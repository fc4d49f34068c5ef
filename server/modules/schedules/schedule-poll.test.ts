import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

const body = (project: string) => ({
  ...{ name: 'Hourly', projects: [project], profile: 'full', cron: '15 * * * *' },
});

/** A member of a new tenant with an hourly schedule. */
async function withSchedule() {
  const analyst = await Analyst.at(server);
  const project = await analyst.project([bucket('b')]);
  const { id } = await analyst.ask(201, '/schedules', { method: 'POST', body: body(project) });
  return { analyst, project, id };
}

it('a worker launches the scan of a schedule when it is due, and the scan completes', async () => {
  const { analyst, project, id } = await withSchedule();
  server.clock.advance({ hours: 1 });
  const { lastRun } = await until('the end of the scan', async () => {
    const schedule = await analyst.ask(200, `/schedules/${id}`);
    return schedule.lastRun?.status === 'completed' && schedule;
  });
  expect(await analyst.seen(lastRun.scanId)).toMatchObject({
    ...{ scheduleId: id, status: 'completed', projects: [{ name: project }] },
  });
});

it('a schedule that cannot be launched delays no other schedule, and is tried again', async () => {
  const [broken, other] = [await withSchedule(), await withSchedule()];
  await server.database.owner.query(`
    CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON scans FOR EACH ROW
      WHEN (NEW.tenant_id = '${broken.analyst.tenantId}') EXECUTE FUNCTION public.refuse()`);
  server.clock.advance({ hours: 1 });
  const ran = ({ analyst, id }: typeof other) =>
    until('a run', async () => (await analyst.ask(200, `/schedules/${id}`)).lastRun);
  await ran(other);
  const { owner } = server.database;
  await until('the broken one to be put off', async () => {
    const { rows } = await owner.query(
      'SELECT due_at > $2 AS later FROM jobs.schedule_dues WHERE schedule_id = $1',
      [broken.id, server.clock.now()],
    );
    return rows[0]?.later;
  });
  expect((await broken.analyst.ask(200, `/schedules/${broken.id}`)).lastRun).toBeNull();
  await owner.query('DROP TRIGGER refuse ON scans');
  server.clock.advance({ minutes: 2 });
  expect((await ran(broken)).scanId).toEqual(expect.any(String));
});
