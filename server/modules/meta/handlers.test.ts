import { readFile } from 'node:fs/promises';
import { PROBLEM_CODES, PROBLEMS, problemSlug, problemType } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractCases } from '../../../tests/kit/contract-operations.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

describe("the service's own endpoints", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('GET /openapi.json returns the committed OpenAPI document', async () => {
    const committed = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8');
    expect((await server.call('/openapi.json')).json).toEqual(JSON.parse(committed));
  });

  it('GET /openapi.json documents every operation of the contract with its policy', async () => {
    const { json } = await server.call('/openapi.json');
    const forBrowsers = /^pages\.|^meta\.docs(Script|Style)$/;
    for (const { name, route } of contractCases()) {
      if (forBrowsers.test(name)) continue;
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      const operation = json.paths[path]?.[route.method.toLowerCase()];
      const { permissions, credentials } = route.metadata;
      expect(operation, name).toBeDefined();
      expect([operation['x-required-permission'] ?? []].flat(), name).toEqual(permissions);
      if (credentials !== 'public') {
        for (const status of ['401', '403', '503']) {
          expect(Object.keys(operation.responses), name).toContain(status);
        }
      }
    }
  });

  it.each(PROBLEM_CODES)('the page of the problem %s explains cause and remedy', async (code) => {
    const reply = await server.call(problemType(code));
    expect(reply.json).toEqual({
      code,
      type: `/problems/${problemSlug(code)}`,
      status: PROBLEMS[code].status,
      title: PROBLEMS[code].title,
      help: PROBLEMS[code].help,
    });
  });

  it('the page of an unknown problem is answered 404', async () => {
    for (const slug of ['nothing', 'NOT_FOUND', 'Not-Found', '__proto__', 'constructor']) {
      expect((await server.call(`/problems/${slug}`)).status).toBe(404);
    }
  });

  it('the probes report readiness, and draining while requests are still served', async () => {
    const own = await startTestServer({ database: server.database });
    try {
      expect((await own.call('/health/ready')).json).toEqual({
        status: 'ok',
        checks: { database: 'ok', migrations: 'ok', traffic: 'ok' },
      });
      own.services.health.drain();
      const draining = await own.call('/health/ready');
      expect(draining.status).toBe(503);
      expect(draining.json.health).toEqual({
        database: 'ok',
        migrations: 'ok',
        traffic: 'failing',
      });
      expect((await own.call('/health/live')).status).toBe(200);
      expect((await own.call('/problems/internal')).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it('the readiness probe reports a missing migration', async () => {
    const { owner } = server.database;
    const own = await startTestServer({ database: server.database });
    try {
      await owner.query('BEGIN');
      const { rows } = await owner.query(
        'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING *',
      );
      await owner.query('COMMIT');
      const [row] = rows;
      const behind = await own.call('/health/ready');
      expect(behind.status).toBe(503);
      expect(behind.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(behind.json).toMatchObject({
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        detail: 'Not ready; failing checks: migrations.',
        health: { database: 'ok', migrations: 'failing', traffic: 'ok' },
        missing: [row.migration_name],
      });
      await owner.query(
        `INSERT INTO _prisma_migrations SELECT * FROM json_populate_record(NULL::_prisma_migrations, $1)`,
        [JSON.stringify(row)],
      );
      expect((await own.call('/health/ready')).json.status).toBe('ok');
    } finally {
      await own.close();
    }
  });
});
