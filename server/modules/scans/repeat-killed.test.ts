import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { type Fate, Killed, MortalDatabase } from '../../../tests/kit/crash-injecting-database.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { createPool } from '../../platform/database/pool.ts';
import { EvaluationPool } from './evaluation-pool.ts';
import { scanProject } from './scan-project.ts';

let server: TestServer;
const evaluations = new EvaluationPool();

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await evaluations.close();
  await server.close();
});

const ASSETS = 24;
/** Gives three steps. */
const ASSETS_A_CHUNK = 2;

it.each(['within', 'after'] as const)(
  'a scan that repeats results gives the same ones when its workers are killed %s any call to the database',
  async (how) => {
    const analyst = await Analyst.at(server);
    const { tenantId } = analyst;
    const project = await analyst.project(
      Array.from({ length: ASSETS }, (_, index) => cluster(`c${index}`, { legacyAbac: true })),
    );
    await cutSmall(server.services.tenants, analyst, project, ASSETS_A_CHUNK);
    const { id: projectId } = await analyst.ask(200, `/projects/${project}`);
    const pool = createPool({
      url: server.database.workerUrl,
      name: 'cspm worker',
      maxConnections: 8,
      statementTimeoutMs: 60_000,
      onError: () => undefined,
    });
    const run = async (scanId: string, fate: Fate | null) => {
      const tenants = new MortalDatabase(pool, fate);
      const slot = { tenantId, scanId, projectId, slot: 0 };
      const services = { tenants, clock: server.clock, evaluations };
      await scanProject(services, slot, { isStopping: () => false });
    };
    const outcomeOf = async (scanId: string) => {
      const { status, totals, delta } = await analyst.seen(scanId);
      const found = await analyst.findings(`scan=${scanId}`);
      return { status, totals, delta, findings: found.map((finding) => finding.id).toSorted() };
    };
    const scanned = async () => {
      const scanId = await analyst.launch(project, 'gke');
      await run(scanId, null);
      return outcomeOf(scanId);
    };
    await scanned();
    const expected = await scanned();
    expect(expected).toMatchObject({ status: 'completed', delta: { unchanged: ASSETS } });

    // Evaluating would fail.
    await rowsOf(server.database, tenantId, "UPDATE inventory_chunks SET data = 'no gzip'");
    const scanId = await analyst.launch(project, 'gke');
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      const end = await run(scanId, { at, how }).catch((error: unknown) => error);
      if (end === undefined) break;
      expect(end).toBeInstanceOf(Killed);
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(5);
    expect(await outcomeOf(scanId)).toEqual(expected);
    await pool.end();
  },
);
