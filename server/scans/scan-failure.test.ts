import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker } from '../jobs/start-worker.ts';
import { createLogger } from '../operations/logger.ts';
import { Analyst, type Scan } from '../testing/analyst.ts';
import { rowsOf } from '../testing/behind-the-scenes.ts';
import { cluster, manyClusters } from '../testing/export-records.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  // Without a worker, so that damage can be done between the launch of a scan and its beginning.
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

/** Lets a worker work until all of these scans have ended. */
async function worked(...ids: readonly string[]): Promise<Scan[]> {
  const log = createLogger('silent');
  const worker = await startWorker({
    databaseUrl: server.database.workerUrl,
    log,
    clock: server.clock,
  });
  try {
    return await Promise.all(ids.map((id) => analyst.finished(id)));
  } finally {
    await worker.stop();
  }
}

async function scanned(projects: string | readonly string[]): Promise<Scan | undefined> {
  return (await worked(await analyst.launch(projects, 'gke')))[0];
}

function damage(sql: string, values: readonly unknown[] = []) {
  return rowsOf(server.database, analyst.tenantId, sql, values);
}

/** Makes the inventory in force unreadable. */
function corrupt(project: string) {
  return damage(
    `UPDATE inventory_chunks SET data = 'not gzip' WHERE seq = 0 AND inventory_id =
       (SELECT inventory_id FROM projects WHERE name = $1)`,
    [project],
  );
}

const BAD = cluster('c', { legacyAbac: true });

describe('a scan of an inventory that cannot be read', () => {
  it('fails, with an error that shows nothing of the inside', async () => {
    const project = await analyst.project([BAD]);
    await corrupt(project);
    const scan = await scanned(project);
    expect(scan).toMatchObject({
      status: 'failed',
      projects: [{ status: 'failed', error: 'An internal error. It is in the log of the server.' }],
    });
    expect(scan?.finishedAt).not.toBeNull();
  });

  it('does not keep the worker from the next scans, of other projects and of the same', async () => {
    const project = await analyst.project([BAD]);
    await corrupt(project);
    const failing = await analyst.launch(project, 'gke');
    const next = await analyst.launch(project, 'gke');
    const other = await analyst.launch(await analyst.project([BAD]), 'gke');
    expect(await worked(failing, next, other)).toMatchObject([
      { status: 'failed' },
      { status: 'failed' },
      { status: 'completed', delta: { new: 1 } },
    ]);
    await analyst.upload(project, [BAD]);
    expect(await scanned(project)).toMatchObject({ status: 'completed', delta: { new: 1 } });
  });

  it('is partial when another of its projects completed', async () => {
    const bad = await analyst.project([cluster('c')]);
    const good = await analyst.project([cluster('c')]);
    await corrupt(bad);
    expect(await scanned([bad, good])).toMatchObject({
      status: 'partial',
      projects: [
        { name: bad, status: 'failed' },
        { name: good, status: 'completed', error: null },
      ],
    });
  });
});

describe('a scan finds a part of the inventory gone:', () => {
  it.each([
    ['a chunk', 'DELETE FROM inventory_chunks WHERE seq = 1'],
    ['every chunk', 'DELETE FROM inventory_chunks'],
    ['the inventory', 'DELETE FROM inventories'],
  ])('%s; it fails, and what was open stays open', async (_what, sql) => {
    const project = await analyst.project(manyClusters(120, 20_000));
    expect(await scanned(project)).toMatchObject({ delta: { new: 40 } });
    const id = await analyst.launch(project, 'gke');
    await damage(sql);
    expect(await worked(id)).toMatchObject([{ status: 'failed', delta: { resolved: 0 } }]);
    expect(await analyst.findings('status=open')).toHaveLength(40);
  });
});

describe('a job', () => {
  it('whose scan is over does nothing', async () => {
    const project = await analyst.project([BAD]);
    const scan = await scanned(project);
    await server.database.owner.query(
      `SELECT jobs.enqueue('scan-project', json_build_object('tenantId', $1::text, 'scanId', $2::text, 'projectId', $3::text), NULL, NULL)`,
      [analyst.tenantId, scan?.id, (await analyst.ask(200, `/projects/${project}`)).id],
    );
    const later = await scanned(project);
    expect(later).toMatchObject({ status: 'completed', delta: { new: 0, unchanged: 1 } });
    expect(await analyst.seen(scan?.id ?? '')).toEqual(scan);
    const { rows } = await server.database.owner.query(
      'SELECT 1 FROM graphile_worker._private_jobs',
    );
    expect(rows).toEqual([]);
  });
});

/** The one job that is queued, as the queue has it. */
async function theJob() {
  const { rows } = await server.database.owner.query(
    'SELECT attempts, max_attempts, last_error, locked_by FROM graphile_worker._private_jobs',
  );
  return rows[0];
}

function changeJobs(to: string) {
  return server.database.owner.query(`UPDATE graphile_worker._private_jobs SET ${to}`);
}

describe('a scan of which every worker died', () => {
  it('fails and says so, when no attempt is left; the next in its line has its turn', async () => {
    const project = await analyst.project([BAD]);
    const hopeless = await analyst.launch(project, 'gke');
    const { max_attempts: most } = await theJob();
    expect(most).toBe(10);
    await changeJobs('attempts = max_attempts');
    const next = await analyst.launch(project, 'gke');
    expect(await worked(hopeless, next)).toMatchObject([
      {
        status: 'failed',
        projects: [{ error: expect.stringMatching(/^Each of the workers .* died of it/) }],
      },
      { status: 'completed', delta: { new: 1 } },
    ]);
    expect(await theJob()).toBeUndefined();
  });

  it('in the middle fails just so: what it found stays, and nothing is resolved', async () => {
    const project = await analyst.project(manyClusters(120, 20_000));
    expect(await scanned(project)).toMatchObject({ delta: { new: 40 } });
    const hopeless = await analyst.launch(project, 'gke');
    await damage("UPDATE scan_projects SET status = 'running' WHERE scan_id = $1", [hopeless]);
    await changeJobs('attempts = max_attempts');
    expect(await worked(hopeless)).toMatchObject([{ status: 'failed', delta: { resolved: 0 } }]);
    expect(await analyst.findings('status=open')).toHaveLength(40);
  });
});

describe('a scan by rules that this release does not have', () => {
  async function ofAnotherRelease(): Promise<string> {
    const id = await analyst.launch(await analyst.project([BAD]), 'gke');
    // As if the server that took the launch were newer than the workers.
    await damage("UPDATE rulesets SET rules = jsonb_set(rules, '{0,version}', '99')");
    return id;
  }

  it('is left, unbegun, to a worker that has them', async () => {
    const id = await ofAnotherRelease();
    const log = createLogger('silent');
    const { workerUrl: databaseUrl } = server.database;
    const worker = await startWorker({ databaseUrl, log, clock: server.clock });
    const job = await until('an attempt', async () => {
      const one = await theJob();
      return one.last_error !== null && one;
    });
    expect(job).toMatchObject({ attempts: 1, locked_by: null });
    expect(job.last_error).toContain('in version 99');
    expect(await analyst.seen(id)).toMatchObject({ status: 'queued', startedAt: null });
    await damage("UPDATE rulesets SET rules = jsonb_set(rules, '{0,version}', '1')");
    await changeJobs('run_at = now()');
    await worker.stop();
    expect(await worked(id)).toMatchObject([{ status: 'completed', delta: { new: 1 } }]);
  });

  it('fails, naming one of them, when no worker has had them for ten attempts', async () => {
    const id = await ofAnotherRelease();
    await changeJobs('attempts = 9');
    const [scan] = await worked(id);
    expect(scan).toMatchObject({ status: 'failed', startedAt: null });
    expect(scan?.projects[0]?.error).toMatch(/No worker knows .* gke-\S+ in version 99\. Bring/);
  });

  it('goes on with the rules as they were at its launch, which are what is listed of it', async () => {
    const id = await analyst.launch(await analyst.project([BAD]), 'gke');
    await damage(
      `UPDATE rulesets SET rules = (SELECT jsonb_agg(r) FROM jsonb_array_elements(rules) r
                                    WHERE r ->> 'id' LIKE 'gke-l%')`,
    );
    const [scan] = await worked(id);
    const counts = await analyst.ruleCounts(id);
    expect(counts.map(({ ruleId }) => ruleId)).toEqual([
      'gke-legacy-abac',
      'gke-legacy-metadata',
      'gke-logging',
    ]);
    expect(scan).toMatchObject({ totals: { evaluations: 3 }, coverage: { rules: 3 } });
  });

  it('that are not known at all, as one of before they were kept, is to be launched again', async () => {
    const id = await analyst.launch(await analyst.project([BAD]), 'gke');
    await damage('DELETE FROM rulesets');
    const [scan] = await worked(id);
    expect(scan?.projects[0]?.error).toMatch(/earlier release. Launch it again/);
  });
});
