import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker } from '../jobs/start-worker.ts';
import { createLogger } from '../operations/logger.ts';
import { Analyst, type Scan } from '../testing/analyst.ts';
import { rowsOf } from '../testing/behind-the-scenes.ts';
import { cluster, manyClusters } from '../testing/export-records.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

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
