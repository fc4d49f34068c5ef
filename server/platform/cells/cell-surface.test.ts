import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { move, OTHER, type TestCells, testCells } from '../../../tests/kit/cells.ts';
import { contractCases } from '../../../tests/kit/contract-operations.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { SHARED_CREDENTIALS } from '../../../tests/kit/shared-credentials.ts';
import { isServedAtBothPaths } from '../../../tests/kit/surface-checks.ts';
import { Tour } from '../../../tests/kit/surface-tour.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../tests/kit/token-issuer.ts';
import { KEPT_AT_HOME, tenantTables } from './tables.ts';

const cases = contractCases();

describe('a tenant on another database than its identities', () => {
  let issuer: TokenIssuer;
  let databases: TestCells;
  let server: TestServer;
  let tour: Tour;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    databases = await testCells();
    server = await startTestServer({
      issuer,
      database: databases.home,
      cells: databases.cells,
      config: SHARED_CREDENTIALS,
    });
    tour = await Tour.start(server);
    const { tenant } = tour.owner.user;
    await move(databases, tenant.id, OTHER);
    const has = new Belongings(server.services, databases.home, tenant, databases.other);
    Object.assign(tour.owner, { has });
  });

  afterAll(async () => {
    await server.close();
    await databases.drop();
    await issuer.close();
  });

  it.each(cases.map((subject) => [subject.name, subject] as const))(
    '%s answers a tenant on another database as it answers a tenant on the first one',
    async (_name, subject) => {
      expect(await isServedAtBothPaths(tour, subject)).toEqual([]);
    },
  );

  it('operations for a tenant on another database return only declared responses', () => {
    expect(tour.faults).toEqual([]);
  });

  it('a tenant on another database has no row of its data in the directory database', async () => {
    const tenantId = tour.owner.user.tenant.id;
    const found: Record<string, number> = {};
    let inCell = 0;
    for (const { name } of await tenantTables(databases.home.owner)) {
      const counted = `SELECT count(*)::int AS rows FROM ${name}`;
      const [home] = await rowsOf(databases.home, tenantId, counted);
      const [cell] = await rowsOf(databases.other, tenantId, counted);
      if (Number(home?.['rows']) > 0 && !KEPT_AT_HOME.has(name))
        found[name] = Number(home?.['rows']);
      if (Number(cell?.['rows']) > 0) inCell += 1;
    }
    expect(found).toEqual({});
    expect(inCell).toBeGreaterThan(15);
  });
});
