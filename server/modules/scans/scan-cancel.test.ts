import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import { deadlineMs } from '../../../tests/kit/slowness.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';

const SOON_MS = 5_000;
/** A request that waits for a lock ends with an error after this time. */
const HANG_MS = 60_000;

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

/** Two workers, so that a large scan is shared. */
async function withWorkers<T>(during: () => Promise<T>): Promise<T> {
  const workers = await Promise.all(
    [1, 2].map(() =>
      startWorker({
        databaseUrl: server.database.workerUrl,
        log: createLogger('silent'),
        clock: server.clock,
      }),
    ),
  );
  return during().finally(() => Promise.all(workers.map((worker) => worker.stop())));
}

function rows(sql: string, values: readonly unknown[] = []) {
  return rowsOf(server.database, analyst.tenantId, sql, values);
}

/** A project with thirty chunks, in which every asset has a fault. */
async function largeProject(): Promise<string> {
  const records = Array.from({ length: 120 }, (_, index) =>
    cluster(`c${index}`, { legacyAbac: true }),
  );
  const project = await analyst.project(records);
  await cutSmall(server.services.tenants, analyst, project, 4);
  return project;
}

function cancel(scanId: string): Promise<Scan> {
  return analyst.ask(202, `/scans/${scanId}/cancel`, { method: 'POST' });
}

/** Everything that a scan has written or may write. */
async function traceOf(scanId: string): Promise<string> {
  const seen = await analyst.seen(scanId);
  const counts = await analyst.ruleCounts(scanId);
  const findings = await rows('SELECT f.* FROM findings f ORDER BY f.id');
  const noted = await rows('SELECT * FROM scan_findings ORDER BY finding_id, scan_id');
  return JSON.stringify({ seen, counts, findings, noted });
}

describe('cancelling a scan', () => {
  it('cancelling a queued scan prevents its start, and the next in the queue runs', async () => {
    const project = await analyst.project([cluster('a', { legacyAbac: true })]);
    const first = await analyst.launch(project, 'gke');
    const second = await analyst.launch(project, 'gke');
    expect(await cancel(first)).toMatchObject({
      id: first,
      status: 'cancelled',
      startedAt: null,
      finishedAt: expect.any(String),
      projects: [{ status: 'cancelled', assets: 0, error: null }],
    });
    expect(await withWorkers(() => analyst.finished(second))).toMatchObject({
      status: 'completed',
      delta: { new: 1 },
    });
    expect(await analyst.seen(first)).toMatchObject({ status: 'cancelled', totals: { assets: 0 } });
  });

  it('cancelling a running scan ends it for all workers; its findings stay and none are added', async () => {
    const project = await largeProject();
    const { owner } = server.database;
    await withWorkers(async () => {
      for (const progress of [1, 20, 60]) {
        const scanId = await analyst.launch(project, 'gke');
        const next = await analyst.launch(project, 'gke');
        await until(
          'some progress',
          async () => (await analyst.seen(scanId)).totals.assets >= progress,
        );
        const asked = performance.now();
        const cancelled = await cancel(scanId);
        expect(performance.now() - asked).toBeLessThan(deadlineMs(SOON_MS, HANG_MS));
        if (cancelled.status === 'completed') continue;
        expect(cancelled).toMatchObject({
          status: 'cancelled',
          projects: [{ status: 'cancelled' }],
          delta: { resolved: 0 },
        });
        const before = await rows(
          'SELECT * FROM scan_findings WHERE scan_id = $1 ORDER BY finding_id',
          [scanId],
        );
        expect(before).toHaveLength(cancelled.totals.fail);
        expect(await analyst.finished(next)).toMatchObject({
          status: 'completed',
          totals: { assets: 120, fail: 120 },
        });
        // The worker has had the time of a whole scan to write something.
        expect(await analyst.seen(scanId)).toEqual(cancelled);
        expect(
          await rows('SELECT * FROM scan_findings WHERE scan_id = $1 ORDER BY finding_id', [
            scanId,
          ]),
        ).toEqual(before);
      }
      await until('everybody to have left', async () => {
        const { rows: jobs } = await owner.query('SELECT 1 FROM graphile_worker._private_jobs');
        return jobs.length === 0;
      });
      expect(await rows('SELECT * FROM scan_slots')).toEqual([]);
    });
  });

  it('cancelling during a step is answered after that step, and no other step follows', async () => {
    const project = await largeProject();
    const { owner } = server.database;
    await withWorkers(async () => {
      await owner.query('BEGIN');
      await rows('SELECT 1 FROM projects FOR UPDATE');
      const scanId = await analyst.launch(project, 'gke');
      await until('two at work', async () => {
        const slots = await rows('SELECT DISTINCT slot FROM scan_claims');
        return slots.length === 2;
      });
      await until('a step to be written, which waits for the project', async () => {
        const waiting = await waitingFor(server.database, "l.locktype = 'transactionid'");
        return waiting.length > 0;
      });
      const cancelled = cancel(scanId);
      await until('the cancellation to wait', async () => {
        const kind = "l.locktype = 'advisory' AND l.mode = 'ExclusiveLock'";
        return (await waitingFor(server.database, kind)).length === 1;
      });
      await owner.query('ROLLBACK');
      const scan = await cancelled;
      expect(scan.status).toBe('cancelled');
      const trace = await traceOf(scanId);
      await until('everybody to have left', async () => {
        const { rows: jobs } = await owner.query('SELECT 1 FROM graphile_worker._private_jobs');
        return jobs.length === 0;
      });
      expect(await traceOf(scanId)).toBe(trace);
    });
  });

  it('cancelling a scan cancels all of it, even if some of its projects had completed', async () => {
    const small = await analyst.project([cluster('a', { legacyAbac: true })]);
    const large = await largeProject();
    await withWorkers(async () => {
      const { owner } = server.database;
      await owner.query('BEGIN');
      await rows('SELECT 1 FROM projects WHERE name = $1 FOR UPDATE', [large]);
      const scanId = await analyst.launch([small, large], 'gke');
      await until(
        'the end of the small one',
        async () => (await analyst.seen(scanId)).projects[0]?.status === 'completed',
      );
      const cancelled = cancel(scanId);
      await owner.query('ROLLBACK');
      expect(await cancelled).toMatchObject({
        status: 'cancelled',
        projects: [{ status: 'completed', findings: 1 }, { status: 'cancelled' }],
        coverage: { rules: 24 },
      });
      expect(await analyst.findings(`project=${small}&status=open`)).toHaveLength(1);
    });
  });

  it('cancelling a scan that has ended returns it unchanged', async () => {
    const project = await analyst.project([cluster('a')]);
    const completed = await withWorkers(() => analyst.scan(project, 'gke'));
    expect(await cancel(completed.id)).toEqual(completed);
    const queued = await analyst.launch(project, 'gke');
    const cancelled = await cancel(queued);
    server.clock.advance({ hours: 1 });
    expect(await cancel(queued)).toEqual(cancelled);
    const { items } = await analyst.ask(200, '/audit-events?action=scan.cancelled');
    expect(
      items.map(({ subject, detail }: { subject: string; detail: unknown }) => [subject, detail]),
    ).toEqual([
      [queued, { already: 'cancelled', apiKeyId: expect.any(String) }],
      [queued, { apiKeyId: expect.any(String) }],
      [completed.id, { already: 'completed', apiKeyId: expect.any(String) }],
    ]);
  });

  it("cancelling another tenant's scan is refused", async () => {
    const scanId = await analyst.launch(await analyst.project([cluster('a')]), 'gke');
    const stranger = await Analyst.at(server);
    const refusal = await stranger.call(`/scans/${scanId}/cancel`, { method: 'POST' });
    expect(refusal.status).toBe(404);
    expect(await analyst.seen(scanId)).toMatchObject({ status: 'queued' });
  });

  it('many concurrent requests cancel a scan once, together with other scans of the same projects', async () => {
    const projects = [await largeProject(), await largeProject()];
    await withWorkers(async () => {
      const ids: string[] = [];
      for (const order of [projects, projects.toReversed(), projects, projects.toReversed()]) {
        ids.push(await analyst.launch(order, 'gke'));
      }
      await until(
        'some progress',
        async () => (await analyst.seen(ids[0] ?? '')).totals.assets > 0,
      );
      const replies = await Promise.all(
        [...ids, ...ids].map((id) => analyst.call(`/scans/${id}/cancel`, { method: 'POST' })),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
      const last = await analyst.scan(projects, 'gke');
      expect(last).toMatchObject({ status: 'completed', totals: { assets: 240 } });
    });
  });
});
