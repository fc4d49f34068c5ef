import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';

/** Far less than the evaluation of a slow project, which takes minutes of CPU time. */
const SOON_MS = 60_000;
const SLOW_MS = 300_000;
const SLOW_ASSETS = 2_000;
const SLOW_RULES = 10;

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
});

async function withWorker<T>(during: () => Promise<T>): Promise<T> {
  const worker = await startWorker({
    databaseUrl: server.database.workerUrl,
    log: createLogger('silent'),
    clock: server.clock,
  });
  return during().finally(() => worker.stop());
}

/** Saves rules that each take less than a second for one asset, but together take minutes for a slow project. */
async function addSlowRules(): Promise<void> {
  const numbers = `[${Array.from({ length: 120 }, (_, at) => at).join(', ')}]`;
  for (let at = 0; at < SLOW_RULES; at += 1) {
    const body = {
      id: `slow-${at}`,
      title: 'Slow',
      severity: 'low',
      assetTypes: ['storage.googleapis.com/Bucket'],
      predicate: `${numbers}.map(a, ${numbers}.map(b, a + b == -1)).size() == 0`,
      recommendation: 'Wait.',
    };
    await analyst.ask(201, '/custom-rules', { method: 'POST', body });
  }
}

function slowProject(): Promise<string> {
  return analyst.project(Array.from({ length: SLOW_ASSETS }, (_, at) => bucket(`b${at}`)));
}

/** Waits until slots of this number of projects have claimed chunks to evaluate. */
function evaluating(projects: number): Promise<unknown> {
  return until(`${projects} projects at work`, async () => {
    const claimed = await rowsOf(
      server.database,
      analyst.tenantId,
      'SELECT DISTINCT project_id FROM scan_claims',
    );
    return claimed.length === projects;
  });
}

function cancel(scanId: string): Promise<unknown> {
  return analyst.ask(202, `/scans/${scanId}/cancel`, { method: 'POST' });
}

describe('a scan with slow custom rules', () => {
  it(
    'cancelling a scan ends the evaluation of its custom rules, which could take minutes',
    async () => {
      await addSlowRules();
      const project = await slowProject();
      await withWorker(async () => {
        const scanId = await analyst.launch(project);
        await evaluating(1);
        await cancel(scanId);
        await until(
          'the end of its job',
          async () => {
            const { rows } = await server.database.owner.query(
              'SELECT 1 FROM graphile_worker._private_jobs',
            );
            return rows.length === 0;
          },
          SOON_MS,
        );
        expect(await analyst.seen(scanId)).toMatchObject({ status: 'cancelled' });
      });
    },
    SLOW_MS,
  );

  it(
    'a scan of another tenant completes while one tenant runs as many slow scans as it may',
    async () => {
      await addSlowRules();
      const slow = [await slowProject(), await slowProject(), await slowProject()];
      const other = await Analyst.at(server);
      const small = await other.project([bucket('a')]);
      await withWorker(async () => {
        const slowScan = await analyst.launch(slow);
        await evaluating(2);
        // The slow tenant's third project does not take the job that the other tenant leaves.
        for (let times = 0; times < 3; times += 1) {
          expect(await other.scan(small)).toMatchObject({ status: 'completed' });
        }
        await evaluating(2);
        expect(await analyst.seen(slowScan)).toMatchObject({ status: 'running' });
        await cancel(slowScan);
      });
    },
    SLOW_MS,
  );

  it(
    'a scan of another tenant completes although an earlier release has queued the jobs of the slow scans',
    async () => {
      await addSlowRules();
      const slow = [await slowProject(), await slowProject(), await slowProject()];
      const other = await Analyst.at(server);
      const small = await other.project([bucket('a')]);
      const slowScan = await analyst.launch(slow);
      await server.database.owner.query('UPDATE graphile_worker._private_jobs SET flags = NULL');
      await withWorker(async () => {
        await evaluating(2);
        expect(await other.scan(small)).toMatchObject({ status: 'completed' });
        await evaluating(2);
        await cancel(slowScan);
      });
    },
    SLOW_MS,
  );
});
