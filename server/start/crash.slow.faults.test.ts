import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import { onDatabase, type ServerProcess, serverProcesses } from '../../tests/kit/server-process.ts';
import { type Call, send } from '../../tests/kit/test-server.ts';
import { newApiKey } from '../modules/auth/credentials/api-key.ts';

const start = serverProcesses();
const { key } = newApiKey();

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

/** A server that runs no jobs, so the queued jobs can be counted. */
async function started(): Promise<{ server: ServerProcess; analyst: Analyst }> {
  const server = start({
    ...onDatabase(database),
    WORKER: 'off',
    APP_SECRET: 'the same secret after each restart',
    BOOTSTRAP_EMAIL: 'first@example.com',
    BOOTSTRAP_PASSWORD: 'correct horse battery staple',
    BOOTSTRAP_API_KEY: key,
    RATE_LIMIT: '1000000',
    TRUST_PROXY: '1',
  });
  const url = await server.url();
  const { rows } = await database.owner.query('SELECT id FROM identity.tenants');
  const call = (path: string, request?: Call) => send(url + path, request);
  return { server, analyst: new Analyst({ call }, { 'x-api-key': key }, rows[0].id) };
}

describe('a launch with an Idempotency-Key, on a server that is killed', () => {
  it('a launch repeated with its Idempotency-Key across a kill at any moment is one scan, one job and one audit row', async () => {
    let { server, analyst } = await started();
    const project = await analyst.project([cluster('a')]);
    const launch = (idempotencyKey: string) =>
      analyst.call('/scans', {
        method: 'POST',
        body: { projects: [project], profile: 'full' },
        headers: { 'idempotency-key': idempotencyKey },
      });
    // Warm, so the following crash moments fall on different steps.
    expect((await launch('warm-up')).status).toBe(202);
    const answers: string[] = [];
    const moments = [1, 4, 8, 200];
    for (const afterMs of moments) {
      const first = launch(`killed after ${afterMs}`.replaceAll(' ', '-')).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await server.kill();
      const before = await first;
      ({ server, analyst } = await started());
      const repeated = await launch(`killed-after-${afterMs}`);
      expect(repeated.status, repeated.text).toBe(202);
      // Everything answered before the crash has the same answer after it.
      if (before?.status === 202) {
        expect(repeated.text).toBe(before.text);
        expect(repeated.headers.get('idempotency-replayed')).toBe('true');
      }
      const again = await launch(`killed-after-${afterMs}`);
      expect(again.text).toBe(repeated.text);
      answers.push(repeated.json.id);
    }
    const ids = new Set(answers);
    expect(ids.size).toBe(moments.length);
    const rows = (sql: string) => rowsOf(database, analyst.tenantId, sql);
    const launched = moments.length + 1;
    expect(await rows('SELECT id FROM scans')).toHaveLength(launched);
    expect(await rows('SELECT scan_id FROM scan_projects')).toHaveLength(launched);
    expect(
      await rows(
        "SELECT id FROM audit_events WHERE action = 'scan.launched' AND outcome = 'success'",
      ),
    ).toHaveLength(launched);
    expect(await rows('SELECT key FROM idempotency_records')).toHaveLength(launched);
    const { rows: jobs } = await database.owner.query(
      "SELECT payload ->> 'scanId' AS scan FROM graphile_worker._private_jobs",
    );
    expect(jobs).toHaveLength(launched);
    expect(new Set(jobs.map(({ scan }) => scan)).size).toBe(launched);
  }, 300_000);
});
