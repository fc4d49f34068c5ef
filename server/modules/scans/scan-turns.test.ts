import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { newId } from '../../platform/ids.ts';

let database: TestDatabase;
/** Connected as a server is. */
let app: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  app = new pg.Client({ connectionString: database.appUrl });
  await app.connect();
});

afterAll(async () => {
  await app.end();
  await database.drop();
});

beforeEach(async () => {
  await database.owner.query('DELETE FROM graphile_worker._private_jobs');
  await database.owner.query('DELETE FROM jobs.turns');
});

async function launch(tenant: string, name: string, projects: number, by = app): Promise<void> {
  await by.query("SELECT set_config('app.tenant_id', $1, false)", [tenant]);
  await by.query(
    `SELECT jobs.enqueue('scan-project', json_build_object('by', $1::text), NULL, NULL)
     FROM generate_series(1, $2)`,
    [name, projects],
  );
}

/** The projects of the jobs that workers take, in order. */
async function order(most: number): Promise<string[]> {
  const { rows } = await database.owner.query(
    `SELECT payload->>'by' AS by FROM graphile_worker._private_jobs
     WHERE run_at <= now() ORDER BY priority, run_at, id LIMIT $1`,
    [most],
  );
  return rows.map(({ by }) => by);
}

describe('the scans of several tenants', () => {
  it('the scans of several tenants take turns, however many one of them has queued before the others', async () => {
    await launch(newId(), 'many', 500);
    await launch(newId(), 'few', 2);
    await launch(newId(), 'one', 1);
    const taken = await order(8);
    expect(taken.slice(0, 6).toSorted()).toEqual(
      ['few', 'few', 'many', 'many', 'many', 'one'].toSorted(),
    );
    expect(taken.slice(6)).toEqual(['many', 'many']);
  });

  it('the scans of several tenants keep their order within one tenant, and all start when nobody else waits', async () => {
    const tenant = newId();
    for (const name of ['first', 'second', 'third']) await launch(tenant, name, 2);
    expect(await order(10)).toEqual(['first', 'first', 'second', 'second', 'third', 'third']);
  });

  it('the scans of several tenants are not delayed forever by those of tenants that come later', async () => {
    await launch(newId(), 'early', 3);
    await database.owner.query(
      "UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '2 minutes'",
    );
    await launch(newId(), 'late', 1);
    expect(await order(4)).toEqual(['early', 'early', 'early', 'late']);
  });

  it('the scans of several tenants do not wait for a launch of the same tenant that has not committed', async () => {
    const tenant = newId();
    await launch(tenant, 'before', 1);
    const other = new pg.Client({ connectionString: database.appUrl });
    await other.connect();
    await other.query('BEGIN');
    await launch(tenant, 'under way', 1, other);
    await launch(tenant, 'beside', 1);
    await other.query('COMMIT');
    await other.end();
    expect((await order(3)).toSorted()).toEqual(['before', 'beside', 'under way']);
  });
});

describe('the waiting time of the oldest job', () => {
  it('the waiting time of the oldest job is measured from when it was queued, not from its turn', async () => {
    await launch(newId(), 'one', 1);
    const { rows } = await app.query('SELECT task, oldest_seconds FROM jobs.depth(now())');
    expect(rows).toMatchObject([{ task: 'scan-project' }]);
    expect(rows[0].oldest_seconds).toBeLessThan(3_600);
  });
});
