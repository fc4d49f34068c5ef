import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import { Operator } from '../../../tests/kit/operator.ts';
import { countsOf, rowsOf } from '../../../tests/kit/owner-queries.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';
import { lockPosture } from '../posture/record.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const log = createLogger('silent');
  const worker = await startWorker({
    databaseUrl: server.database.workerUrl,
    log,
    clock: server.clock,
  });
  return work().finally(() => worker.stop());
}

const remove = (project: string) => analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
const TABLES = ['projects', 'inventories', 'inventory_chunks', 'findings'] as const;
const NONE = { projects: 0, inventories: 0, inventory_chunks: 0, findings: 0 };

const SHARE_PROJECT = {
  name: 'share',
  text: 'SELECT 1 FROM projects WHERE id = $1 FOR KEY SHARE',
};

describe('deleting a project', () => {
  it('deleting a project removes its inventories and findings, and keeps its past scans', async () => {
    const project = await analyst.project([cluster('a', { legacyAbac: true })]);
    const scan = await withWorker(() => analyst.scan(project, 'gke'));
    expect(await countsOf(server.database, analyst.tenantId, TABLES)).toEqual({
      projects: 1,
      inventories: 1,
      inventory_chunks: 1,
      findings: 1,
    });
    await remove(project);
    expect(await countsOf(server.database, analyst.tenantId, TABLES)).toEqual(NONE);
    expect(await analyst.findings()).toEqual([]);
    expect(await analyst.findings(`scan=${scan.id}`)).toEqual([]);
    expect(await analyst.seen(scan.id)).toEqual(scan);
    for (const method of ['GET', 'DELETE']) {
      expect((await analyst.call(`/projects/${project}`, { method })).status).toBe(404);
    }
  });

  it('deleting a project cancels its queued scans, which no worker starts', async () => {
    const project = await analyst.project([cluster('a', { legacyAbac: true })]);
    const scanId = await analyst.launch(project, 'gke');
    await remove(project);
    const ended = await analyst.seen(scanId);
    expect(ended).toMatchObject({ status: 'cancelled', projects: [{ status: 'cancelled' }] });
    expect(ended.finishedAt).not.toBeNull();
    await withWorker(() =>
      until('an empty queue', async () => {
        const { rows } = await server.database.owner.query(
          'SELECT 1 FROM graphile_worker._private_jobs',
        );
        return rows.length === 0;
      }),
    );
    expect(await analyst.seen(scanId)).toEqual(ended);
    expect(await countsOf(server.database, analyst.tenantId, TABLES)).toEqual(NONE);
  });

  it('deleting a project does not affect other projects of its scan', async () => {
    const gone = await analyst.project([cluster('a')]);
    const kept = await analyst.project([cluster('a')]);
    const scanId = await analyst.launch([gone, kept], 'gke');
    await remove(gone);
    expect(await analyst.seen(scanId)).toMatchObject({ status: 'queued' });
    expect(await withWorker(() => analyst.finished(scanId))).toMatchObject({
      status: 'completed',
      projects: [
        { name: gone, status: 'cancelled' },
        { name: kept, status: 'completed' },
      ],
    });
  });

  it('deleting a project cancels its running scan, after which nothing is written', async () => {
    for (let round = 0; round < 3; round += 1) {
      const project = await analyst.project(manyClusters(300));
      await cutSmall(server.services.tenants, analyst, project, 3);
      const scanId = await analyst.launch(project, 'gke');
      await withWorker(async () => {
        await until('some progress', async () => (await analyst.seen(scanId)).totals.assets > 0);
        await remove(project);
        expect(await analyst.finished(scanId)).toMatchObject({
          status: expect.stringMatching(/cancelled|completed/),
        });
      });
      expect(await countsOf(server.database, analyst.tenantId, TABLES)).toEqual(NONE);
    }
  });

  it('deleting a project waits for a scan of it that ends meanwhile, and does not keep it from its locks', async () => {
    const project = await analyst.project([cluster('a', { legacyAbac: true })]);
    await withWorker(() => analyst.scan(project, 'gke'));
    const { id } = await analyst.ask(200, `/projects/${project}`);
    const operator = await Operator.at(server.database);
    const removal = await server.services.tenants.write(analyst.tenantId, async (scan) => {
      // As the foreign keys of its verdicts do, and then the end of a scan.
      await scan.sql(SHARE_PROJECT, [id]);
      const removing = remove(project);
      await operator.waiting(1);
      await lockPosture(scan);
      return { removing };
    });
    await removal.removing;
    await operator.leave();
    expect(await countsOf(server.database, analyst.tenantId, TABLES)).toEqual(NONE);
  });

  it('a new project with the name of a deleted one has no old data', async () => {
    const records = [cluster('a', { legacyAbac: true })];
    const project = await analyst.project(records);
    await withWorker(() => analyst.scan(project, 'gke'));
    const [before] = await analyst.findings();
    await remove(project);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: project } });
    expect(await analyst.ask(200, `/projects/${project}`)).toMatchObject({ inventory: null });
    await analyst.upload(project, records);
    const scan = await withWorker(() => analyst.scan(project, 'gke'));
    expect(scan.delta).toEqual({ new: 1, resolved: 0, reopened: 0, unchanged: 0 });
    const [after] = await analyst.findings();
    expect(after?.id).not.toBe(before?.id);
    expect(after?.fingerprint).not.toBe(before?.fingerprint);
  });

  it('deleting a project is audited once, and answers 404 the second time', async () => {
    const project = await analyst.project();
    const replies = await Promise.all([
      analyst.call(`/projects/${project}`, { method: 'DELETE' }),
      analyst.call(`/projects/${project}`, { method: 'DELETE' }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    const rows = await rowsOf(
      server.database,
      analyst.tenantId,
      "SELECT 1 FROM audit_events WHERE action = 'project.deleted' AND outcome = 'success'",
    );
    expect(rows).toHaveLength(1);
  });

  it("deleting another tenant's project answers 404 and keeps it", async () => {
    const project = await analyst.project([cluster('a')]);
    const stranger = await Analyst.at(server);
    const ask = (name: string) =>
      stranger.call(`/projects/${name}`, {
        method: 'DELETE',
        headers: { 'x-correlation-id': 'same' },
      });
    expect((await ask(project)).text).toBe((await ask('never-made')).text);
    await analyst.ask(200, `/projects/${project}`);
  });
});
