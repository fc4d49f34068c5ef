import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

/** Several times as many as a tenant has connections to the database. */
const AT_ONCE = 30;
/** Large answers that may end while a small one is made. */
const AT_MOST = 6;
/** Scans and projects of each: the most of a page. */
const SCANS = 100;
const PROJECTS = 100;

let server: TestServer;
let large: Analyst;
let small: Analyst;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE + 1 });

beforeAll(async () => {
  server = await startTestServer();
  large = await Analyst.at(server);
  small = await Analyst.at(server);
  await small.project();
  const plant = (sql: string, values: readonly unknown[]) =>
    rowsOf(server.database, large.tenantId, sql, [large.tenantId, ...values]);
  await plant(PLANT_PROJECTS, [PROJECTS]);
  await plant(PLANT_SCANS, [SCANS]);
  await plant(PLANT_SCAN_PROJECTS, []);
});

afterAll(async () => {
  agent.destroy();
  await server.close();
});

const PLANT_PROJECTS = `
  INSERT INTO projects (tenant_id, id, name, created_at)
  SELECT $1, gen_random_uuid(), 'planted-' || n, now() FROM generate_series(1, $2::int) AS n`;
const PLANT_SCANS = `
  INSERT INTO scans (tenant_id, id, status, profile, profile_digest, created_by_kind, created_by_label, created_at)
  SELECT $1, gen_random_uuid(), 'completed', 'full', repeat('0', 64), 'api_key', 'a@example.com', now()
  FROM generate_series(1, $2::int)`;
const PLANT_SCAN_PROJECTS = `
  INSERT INTO scan_projects (tenant_id, scan_id, project_id, name, position, status)
  SELECT $1, s.id, p.id, p.name, 1, 'completed' FROM scans s CROSS JOIN projects p`;

/** Ends with the last byte of the response, which nobody parses. */
function answered(analyst: Analyst, path: string, more: Record<string, string> = {}) {
  const headers = { ...analyst.headers, ...more };
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(server.url + path, { agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject).end();
  });
}

describe('many large answers of one tenant', () => {
  it('a small request of another tenant is answered while at most a few of many large answers of a tenant end', async () => {
    await answered(large, '/scans?limit=100');
    await answered(small, '/projects');
    let ended = 0;
    const all = Array.from({ length: AT_ONCE }, () =>
      answered(large, '/scans?limit=100').then((status) => {
        // On a slow machine some are refused, because they have waited too long for a connection.
        if (status === 200) ended += 1;
        return status;
      }),
    );
    let isOver = false;
    const over = Promise.all(all).then((statuses) => {
      isOver = true;
      return statuses;
    });
    await Promise.race(all);
    const during: number[] = [];
    while (!isOver) {
      const before = ended;
      expect(await answered(small, '/projects')).toBe(200);
      during.push(ended - before);
    }
    expect(Math.max(...during)).toBeLessThanOrEqual(AT_MOST);
    expect([200, 503]).toEqual(expect.arrayContaining([...new Set(await over)]));
  });

  it('a large answer is sent as a small one is, also for HEAD and conditional requests', async () => {
    const page = await large.call('/scans?limit=100');
    expect(page.json.items).toHaveLength(SCANS);
    const { items } = page.json;
    expect(page.text).toBe(JSON.stringify({ items, nextCursor: null }));
    const one = await large.call('/scans?limit=1');
    expect(one.json.items[0]).toEqual(items[0]);
    expect(page.headers.get('content-length')).toBe(String(Buffer.byteLength(page.text)));
    for (const [header, status] of [
      ['"other"', 200],
      ['*', 304],
    ] as const) {
      const conditional = { 'if-none-match': header };
      expect(await answered(large, '/scans?limit=100', conditional)).toBe(status);
      expect(await answered(large, '/scans?limit=1', conditional)).toBe(status);
    }
    const conditional = { headers: { 'if-none-match': '"other"' } };
    expect((await large.call('/scans?limit=100', conditional)).text).toBe(page.text);
    const head = await large.call('/scans?limit=100', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(page.headers.get('content-length'));
  });
});
