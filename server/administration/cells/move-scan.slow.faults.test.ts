import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { move, OTHER, type TestCells, testCells } from '../../../tests/kit/cells.ts';
import type { TestDatabase } from '../../../tests/kit/database.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let databases: TestCells;
let server: TestServer;

beforeAll(async () => {
  databases = await testCells();
  const { home: database, cells } = databases;
  server = await startTestServer({ database, cells, worker: true });
});

afterAll(async () => {
  await server.close();
  await databases.drop();
});

const ASSETS = 30_000;
const EVERY_BAD = 10;
const RECORDS = Array.from({ length: ASSETS }, (_, index) =>
  cluster(`c${index}`, { legacyAbac: index % EVERY_BAD === 0 }),
);
const FAILING = ASSETS / EVERY_BAD;
const TURNS_AT_MOST = 10;

/** Holds a scan after one of its steps until `release` is called. @returns false when it has ended */
async function hold({ owner }: TestDatabase, tenantId: string, scanId: string): Promise<boolean> {
  for (;;) {
    await owner.query('BEGIN');
    await owner.query("SELECT set_config('app.tenant_id', $1, true)", [tenantId]);
    const { rows } = await owner.query(
      `SELECT finished_at IS NOT NULL AS has_ended, chunks_done > 0 AND chunks_done < chunks AS is_partly_done
       FROM scan_projects WHERE scan_id = $1 FOR UPDATE`,
      [scanId],
    );
    if (rows[0].is_partly_done && !rows[0].has_ended) return true;
    await release({ owner });
    if (rows[0].has_ended) return false;
  }
}

function release({ owner }: Pick<TestDatabase, 'owner'>) {
  return owner.query('COMMIT');
}

it('a scan during which its tenant is moved completes in the other database, with each asset and finding once', {
  timeout: 900_000,
}, async () => {
  const analyst = await Analyst.at(server);
  for (let turn = 0; turn < TURNS_AT_MOST; turn += 1) {
    const [from, to] = turn % 2 === 0 ? (['home', OTHER] as const) : ([OTHER, 'home'] as const);
    const scanId = await analyst.launch(await analyst.project(RECORDS), 'gke');
    await until('the scan to progress', async () => {
      return (await analyst.seen(scanId)).totals.assets > 0;
    });
    let isHeld: Promise<boolean> | undefined;
    await move(databases, analyst.tenantId, to, {}, async (line) => {
      if (line === 'Noting changes') isHeld = hold(databases[from], analyst.tenantId, scanId);
      // The fence waits for the step that is being written.
      if (line === 'Fencing' && (await isHeld) === true) await release(databases[from]);
    });
    const { status, totals } = await analyst.seen(scanId);
    expect(await analyst.finished(scanId)).toMatchObject({
      status: 'completed',
      totals: { assets: ASSETS, fail: FAILING },
      delta: { new: FAILING, unchanged: 0, reopened: 0, resolved: 0 },
    });
    const [row] = await rowsOf(
      databases[to],
      analyst.tenantId,
      `SELECT count(*)::int AS seen, count(DISTINCT f.fingerprint)::int AS findings
       FROM scan_findings s JOIN findings f ON f.tenant_id = s.tenant_id AND f.id = s.finding_id
       WHERE s.scan_id = $1`,
      [scanId],
    );
    expect(row).toEqual({ seen: FAILING, findings: FAILING });
    if (status === 'running' && totals.assets > 0 && totals.assets < ASSETS) return;
  }
  throw new Error('No scan was in progress when its tenant had moved.');
});
