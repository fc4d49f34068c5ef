import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { plantFindings, recordAsNew } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { createPool } from '../../platform/database/pool.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { writeReport } from '../reports/index.ts';
import { findScan } from './queries.ts';
import { reportOf } from './scan-report.ts';

const FINDINGS = 100_000;
/** Planted with one statement. */
const BATCH = 10_000;
const MUTED = 11_111;
/** Far below the 100 MB that the findings have. */
const MAX_MEMORY = 24 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let server: TestServer;
let pool: ReturnType<typeof createPool>;
let tenants: TenantDatabase;
let analyst: Analyst;
let scanId: string;

beforeAll(async () => {
  server = await startTestServer();
  // On a busy machine a summary of 100,000 findings takes longer than a request may.
  pool = createPool({
    ...{ url: server.database.appUrl, name: 'test report', maxConnections: 2 },
    ...{ statementTimeoutMs: 180_000, onError: () => undefined },
  });
  tenants = new TenantDatabase(pool);
  analyst = await Analyst.at(server);
  const tenant = { id: analyst.tenantId, name: '' };
  const belongings = new Belongings(server.services, server.database, tenant);
  const owner = await belongings.project();
  for (let from = 0; from < FINDINGS; from += BATCH) {
    const planted = Array.from({ length: BATCH }, (_, n) => ({
      ruleId: 'planted',
      severity: ['critical', 'high', 'medium', 'low', 'info'][n % 5] ?? 'low',
      asset: `//storage.googleapis.com/bucket-${from + n}`,
      message: 'x'.repeat(1_000),
    }));
    await plantFindings(server.database, analyst.tenantId, owner.id, planted);
  }
  const { later } = await belongings.comparedScans();
  scanId = later;
  await recordAsNew(server.database, analyst.tenantId, scanId, 'planted');
  await server.database.owner.query('ANALYZE findings, scan_findings');
  // 1, 10 to 19, 100 to 199, … 10,000 to 19,999.
  const body = { selector: { asset: '*bucket-1*', ruleId: 'planted' }, reason: 'Planned' };
  await analyst.ask(201, '/mutes', { method: 'POST', body });
}, 900_000);

afterAll(async () => {
  await pool.end();
  await server.close();
});

/** A report, and the memory that it needed at most after a garbage collection. */
async function written(format: 'html' | 'pdf' | 'csv') {
  const row = await tenants.read(analyst.tenantId, (db) => findScan(db, scanId));
  if (row === null) throw new Error('the scan is gone');
  const asked = {
    tenant: { id: analyst.tenantId, name: 'Shop' },
    scan: row,
    framework: 'cis-gcp-4.0',
    now: server.clock.now(),
  } as const;
  const used = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const pieces: Buffer[] = [];
  const before = used();
  let [count, peak] = [0, 0];
  for await (const piece of writeReport(format, () => reportOf(tenants, asked))) {
    pieces.push(Buffer.from(piece));
    count += 1;
    if (count % 25 === 1) peak = Math.max(peak, used() - before);
  }
  return { bytes: Buffer.concat(pieces), memory: Math.max(peak, used() - before) };
}

it('an HTML report of 100,000 findings states their totals and lists the most severe', async () => {
  const text = (await written('html')).bytes.toString('utf8');
  const number = (value: number) => value.toLocaleString('en-US');
  expect(text).toContain(`The 100 most severe of ${number(FINDINGS - MUTED)}.`);
  expect(text).toContain(`The 500 most severe of ${number(MUTED)}.`);
  expect(text.trimEnd().endsWith('</html>')).toBe(true);
});

it('a report of 100,000 findings is complete in PDF and CSV', async () => {
  const pdf = (await written('pdf')).bytes.toString('latin1');
  expect(pdf.startsWith('%PDF-')).toBe(true);
  expect(pdf.trimEnd().endsWith('%%EOF')).toBe(true);
  const csv = (await written('csv')).bytes.toString('utf8').trimEnd().split('\n');
  expect(csv.length).toBeGreaterThan(10);
});

it.each(['html', 'pdf', 'csv'] as const)(
  'a report of 100,000 findings needs a constant amount of memory: %s',
  async (format) => {
    // The first report loads and compiles the code.
    await written(format);
    expect((await written(format)).memory).toBeLessThan(MAX_MEMORY);
  },
);
