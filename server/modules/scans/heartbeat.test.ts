import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';

let database: TestDatabase;
/** Connected as a worker process is. */
let worker: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  worker = new pg.Client({ connectionString: database.workerUrl });
  await worker.connect();
});

afterAll(async () => {
  await worker.end();
  await database.drop();
});

beforeEach(async () => {
  await database.owner.query('DELETE FROM jobs.heartbeats');
  await database.owner.query('DELETE FROM graphile_worker._private_jobs');
  await database.owner.query('DELETE FROM graphile_worker._private_job_queues');
});

/** Creates a job in its own queue that was taken this many seconds ago. */
async function taken(by: string, secondsAgo: number): Promise<void> {
  const { owner } = database;
  await owner.query("SELECT jobs.enqueue('scan-project', '{}', $1, NULL)", [`project:${by}`]);
  for (const table of ['_private_jobs', '_private_job_queues']) {
    await owner.query(
      `UPDATE graphile_worker.${table} SET locked_by = $1, locked_at = now() - make_interval(secs => $2)
       WHERE locked_by IS NULL`,
      [by, secondsAgo],
    );
  }
}

async function beats(by: string, secondsAgo: number): Promise<void> {
  await worker.query('SELECT jobs.beat($1, now() - make_interval(secs => $2))', [[by], secondsAgo]);
}

async function release(): Promise<number> {
  const { rows } = await worker.query("SELECT jobs.release_dead(now() - interval '12 s') AS dead");
  return rows[0].dead;
}

/** The holders of jobs and of queues. */
async function holders() {
  const of = async (table: string) => {
    const { rows } = await database.owner.query(
      `SELECT locked_by FROM graphile_worker.${table} WHERE locked_by IS NOT NULL ORDER BY 1`,
    );
    return rows.map((row) => row.locked_by);
  };
  return { jobs: await of('_private_jobs'), queues: await of('_private_job_queues') };
}

describe('releasing jobs and queues of dead workers', () => {
  it('jobs and queues are released only from workers without a heartbeat', async () => {
    await taken('dead', 60);
    await beats('dead', 13);
    await taken('alive', 60);
    await beats('alive', 2);
    await taken('just-started', 2);
    expect(await release()).toBe(1);
    expect(await holders()).toEqual({
      jobs: ['alive', 'just-started'],
      queues: ['alive', 'just-started'],
    });
  });

  it('jobs of a worker that died before its first heartbeat are released after the same delay', async () => {
    await taken('never-beat', 13);
    expect(await release()).toBe(1);
    expect(await holders()).toEqual({ jobs: [], queues: [] });
  });

  it('no job is released while all workers have a heartbeat, however long the job takes', async () => {
    await taken('alive', 24 * 3600);
    await beats('alive', 1);
    expect(await release()).toBe(0);
    expect(await holders()).toEqual({ jobs: ['alive'], queues: ['alive'] });
  });

  it('jobs of dead workers are released once, by one of several workers, which also deletes the dead workers', async () => {
    await taken('dead', 60);
    await beats('dead', 60);
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const other = new pg.Client({ connectionString: database.workerUrl });
        await other.connect();
        return other;
      }),
    );
    await Promise.all(
      others.map((other) => other.query("SELECT jobs.release_dead(now() - interval '12 s')")),
    );
    await Promise.all(others.map((other) => other.end()));
    expect(await holders()).toEqual({ jobs: [], queues: [] });
    expect((await database.owner.query('SELECT 1 FROM jobs.heartbeats')).rows).toEqual([]);
    expect(await release()).toBe(0);
  });
});
