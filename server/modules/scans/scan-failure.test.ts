import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import { countsOf, rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  // Without a worker, so that the test can cause damage between launch and start of a scan.
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

/** Runs a worker until all these scans have ended. */
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

/** Makes the active inventory unreadable. */
function corrupt(project: string) {
  return damage(
    `UPDATE inventory_chunks SET data = 'not gzip' WHERE seq = 0 AND inventory_id =
       (SELECT inventory_id FROM projects WHERE name = $1)`,
    [project],
  );
}

const BAD = cluster('c', { legacyAbac: true });

describe('a scan of an unreadable inventory', () => {
  it('a scan of an unreadable inventory fails with an error that reveals nothing internal', async () => {
    const project = await analyst.project([BAD]);
    await corrupt(project);
    const scan = await scanned(project);
    expect(scan).toMatchObject({
      status: 'failed',
      projects: [{ status: 'failed', error: 'Internal error. See the log of the server.' }],
    });
    expect(scan?.finishedAt).not.toBeNull();
  });

  it('a scan of an unreadable inventory leaves no slot and no claim behind', async () => {
    const project = await analyst.project([BAD]);
    await corrupt(project);
    expect(await scanned(project)).toMatchObject({ status: 'failed' });
    expect(
      await countsOf(server.database, analyst.tenantId, ['scan_slots', 'scan_claims']),
    ).toEqual({ scan_slots: 0, scan_claims: 0 });
  });

  it('a scan of an unreadable inventory does not keep the worker from later scans of the same or other projects', async () => {
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

  it('a scan with an unreadable inventory is partial when another of its projects completed', async () => {
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

describe('a scan fails and keeps findings open when the inventory has lost', () => {
  it.each([
    ['a chunk', 'DELETE FROM inventory_chunks WHERE seq = 1'],
    ['every chunk', 'DELETE FROM inventory_chunks'],
    ['the inventory', 'DELETE FROM inventories'],
  ])('a scan fails and keeps findings open when the inventory has lost %s', async (_what, sql) => {
    const project = await analyst.project(manyClusters(120, 20_000));
    expect(await scanned(project)).toMatchObject({ delta: { new: 40 } });
    const id = await analyst.launch(project, 'gke');
    await damage(sql);
    expect(await worked(id)).toMatchObject([{ status: 'failed', delta: { resolved: 0 } }]);
    expect(await analyst.findings('status=open')).toHaveLength(40);
  });
});

describe('the job of a scan that has ended', () => {
  it('a leftover job of a scan that has ended changes nothing', async () => {
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

/** The only queued job, as stored in the queue. */
async function theJob() {
  const { rows } = await server.database.owner.query(
    'SELECT attempts, max_attempts, last_error, locked_by FROM graphile_worker._private_jobs',
  );
  return rows[0];
}

function changeJobs(to: string) {
  return server.database.owner.query(`UPDATE graphile_worker._private_jobs SET ${to}`);
}

describe('a scan whose workers all died', () => {
  it('a scan whose workers all died fails with a message when no attempt is left, and the next in the queue runs', async () => {
    const project = await analyst.project([BAD]);
    const hopeless = await analyst.launch(project, 'gke');
    const { max_attempts: most } = await theJob();
    expect(most).toBe(10);
    await changeJobs('attempts = max_attempts');
    const next = await analyst.launch(project, 'gke');
    expect(await worked(hopeless, next)).toMatchObject([
      {
        status: 'failed',
        projects: [{ error: expect.stringMatching(/^Every worker that processed the scan died/) }],
      },
      { status: 'completed', delta: { new: 1 } },
    ]);
    expect(await theJob()).toBeUndefined();
  });

  it('a scan whose workers all died in the middle fails; its findings stay and none are resolved', async () => {
    const project = await analyst.project(manyClusters(120, 20_000));
    expect(await scanned(project)).toMatchObject({ delta: { new: 40 } });
    const hopeless = await analyst.launch(project, 'gke');
    await damage("UPDATE scan_projects SET status = 'running' WHERE scan_id = $1", [hopeless]);
    await changeJobs('attempts = max_attempts');
    expect(await worked(hopeless)).toMatchObject([{ status: 'failed', delta: { resolved: 0 } }]);
    expect(await analyst.findings('status=open')).toHaveLength(40);
  });
});

describe('a scan with rules that this release does not have', () => {
  async function ofAnotherRelease(): Promise<string> {
    const id = await analyst.launch(await analyst.project([BAD]), 'gke');
    // Simulate a server that is newer than the workers. The real version is stored beside it for the test that restores
    // it.
    await damage(
      `UPDATE rulesets SET rules = jsonb_set(
         jsonb_set(rules, '{0,held}', rules #> '{0,version}'), '{0,version}', '99')`,
    );
    return id;
  }

  it('a scan with rules that this release does not have is left to a worker that has them, without being started', async () => {
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
    await damage(
      "UPDATE rulesets SET rules = jsonb_set(rules, '{0,version}', rules #> '{0,held}')",
    );
    await changeJobs('run_at = now()');
    await worker.stop();
    expect(await worked(id)).toMatchObject([{ status: 'completed', delta: { new: 1 } }]);
  });

  it('a scan with rules that this release does not have fails and names a rule when no worker had them in ten attempts', async () => {
    const id = await ofAnotherRelease();
    await changeJobs('attempts = 9');
    const [scan] = await worked(id);
    expect(scan).toMatchObject({ status: 'failed', startedAt: null });
    expect(scan?.projects[0]?.error).toMatch(
      /No worker has the rules .* gke-\S+ in version 99\. Update/,
    );
  });

  it('a scan with rules that this release does not have uses and lists the rules as they were at launch', async () => {
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

  it('a scan with rules that this release does not have fails with the advice to launch again when its rules were never recorded', async () => {
    const id = await analyst.launch(await analyst.project([BAD]), 'gke');
    await damage('DELETE FROM rulesets');
    const [scan] = await worked(id);
    expect(scan?.projects[0]?.error).toMatch(/earlier release. Launch it again/);
  });
});
