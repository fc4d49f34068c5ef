import { readFile } from 'node:fs/promises';
import { PROBLEM_CODES, PROBLEMS, problemSlug, problemType } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractCases } from '../testing/contract-cases.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

describe('what is said about the service itself', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('the document that is served is the one that is committed', async () => {
    const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
    expect((await server.call('/openapi.json')).json).toEqual(JSON.parse(committed));
  });

  it('the document has every operation of the contract, with what its policy says', async () => {
    const { json } = await server.call('/openapi.json');
    const forBrowsers = /^pages\.|^meta\.docs(Script|Style)$/;
    for (const { name, route } of contractCases()) {
      if (forBrowsers.test(name)) continue;
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      const operation = json.paths[path]?.[route.method.toLowerCase()];
      const { permission, credentials } = route.metadata;
      expect(operation, name).toBeDefined();
      expect(operation['x-required-permission'] ?? null, name).toBe(permission);
      if (credentials !== 'public') {
        for (const status of ['401', '403', '503']) {
          expect(Object.keys(operation.responses), name).toContain(status);
        }
      }
    }
  });

  it.each(PROBLEM_CODES)('the page of %s says what it means and what mends it', async (code) => {
    const reply = await server.call(problemType(code));
    expect(reply.json).toEqual({
      code,
      type: `/problems/${problemSlug(code)}`,
      status: PROBLEMS[code].status,
      title: PROBLEMS[code].title,
      help: PROBLEMS[code].help,
    });
  });

  it('a page of a problem that there is none of is not found', async () => {
    for (const slug of ['nothing', 'NOT_FOUND', 'Not-Found', '__proto__', 'constructor']) {
      expect((await server.call(`/problems/${slug}`)).status).toBe(404);
    }
  });

  it('it is ready, and once it drains it says so and serves on', async () => {
    const own = await startTestServer({ database: server.database });
    try {
      expect((await own.call('/health/ready')).json).toEqual({
        status: 'ok',
        checks: { database: 'ok', migrations: 'ok', traffic: 'ok' },
      });
      own.services.health.drain();
      const draining = await own.call('/health/ready');
      expect(draining.status).toBe(503);
      expect(draining.json.checks).toEqual({
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

  it('it is not ready while a migration is missing, and says which', async () => {
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
      expect(behind.json).toEqual({
        status: 'unavailable',
        checks: { database: 'ok', migrations: 'failing', traffic: 'ok' },
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
