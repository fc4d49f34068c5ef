import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, cluster } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';
import { EvaluationPool } from './evaluation-pool.ts';
import { ScanEvaluator } from './scan-evaluator.ts';

let server: TestServer;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'cspm-unavailable-test-'));
  server = await startTestServer();
});

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  await server.close();
  await rm(scratch, { recursive: true, force: true });
});

/** The waiting jobs, the next one first. */
async function jobs() {
  const { rows } = await server.database.owner.query(
    `SELECT payload->>'scanId' AS scan, attempts, locked_by, run_at < now() + interval '30 seconds' AS is_soon
     FROM graphile_worker._private_jobs ORDER BY priority, run_at`,
  );
  return rows;
}

function changeJobs(to: string) {
  return server.database.owner.query(`UPDATE graphile_worker._private_jobs SET ${to}`);
}

/** Runs a worker until the condition holds. */
async function work(what: string, isMet: (log: string) => Promise<boolean>): Promise<void> {
  const log: string[] = [];
  const worker = await startWorker({
    databaseUrl: server.database.workerUrl,
    log: createLogger('info', { write: (line: string) => void log.push(line) }),
    clock: server.clock,
  });
  await until(what, () => isMet(log.join(''))).finally(() => worker.stop());
}

it('a scan for which no process can be started keeps its attempts, runs again within 30 s, and before the next of its project', async () => {
  const analyst = await Analyst.at(server);
  const project = await analyst.project([cluster('c', { legacyAbac: true })]);
  const first = await analyst.launch(project, 'gke');
  await changeJobs('attempts = max_attempts - 1');
  vi.stubEnv('TMPDIR', join(scratch, 'gone'));
  await work('the scan waits', async (log) => log.includes('the scan will continue later'));
  expect(await jobs()).toEqual([{ scan: first, attempts: 3, locked_by: null, is_soon: true }]);
  expect(await analyst.seen(first)).toMatchObject({ status: 'running' });

  vi.stubEnv('TMPDIR', scratch);
  const next = await analyst.launch(project, 'gke');
  await changeJobs('run_at = LEAST(run_at, now())');
  expect(await jobs()).toMatchObject([{ scan: first }, { scan: next }]);
  await work('both scans', async () => (await analyst.seen(next)).finishedAt !== null);
  expect(await analyst.seen(first)).toMatchObject({ status: 'completed', delta: { new: 1 } });
  expect(await analyst.seen(next)).toMatchObject({ status: 'completed', delta: { unchanged: 1 } });
});

it('a scan with custom rules uses TMPDIR, and waits like other scans while the evaluator of its rules cannot be started', async () => {
  vi.stubEnv('TMPDIR', scratch);
  const pool = new EvaluationPool();
  const evaluator = new ScanEvaluator({
    pool,
    isStopping: () => false,
    check: async () => undefined,
    references: async function* () {},
    open: {
      kind: 'open',
      tenantId: newId(),
      projectId: newId(),
      rules: [],
      definitions: [
        {
          ...{ id: 'mine', version: 1, title: 'Mine', description: '', severity: 'low' },
          ...{ assetTypes: ['storage.googleapis.com/Bucket'], predicate: 'true' },
          recommendation: '',
        },
      ],
      now: new Date('2026-11-22T00:00:00Z'),
      assetTypes: [],
      projects: [],
      refusedKinds: [],
    },
  });
  const chunk = gzipSync(JSON.stringify(bucket('b')));
  try {
    await evaluator.evaluateProjects();
    await rm(scratch, { recursive: true });
    await expect(evaluator.evaluate(0, [chunk], false)).rejects.toMatchObject({
      name: 'ProcessUnavailable',
      cause: { message: expect.stringContaining(scratch) },
    });
  } finally {
    await evaluator.close();
    await pool.close();
    await mkdir(scratch, { recursive: true });
  }
  expect(await readdir(scratch)).toEqual([]);
});
