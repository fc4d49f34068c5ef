import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import {
  deleteTenantOf,
  move,
  OTHER,
  type TestCells,
  testCells,
} from '../../../tests/kit/cells.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import type { TestTenant, TestUser } from '../../../tests/kit/people.ts';
import { tablesWithRows } from '../../../tests/kit/tenant-rows.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { inDeletionOrder } from '../../platform/cells/tables.ts';
import { newId } from '../../platform/ids.ts';

let databases: TestCells;
let server: TestServer;

beforeAll(async () => {
  databases = await testCells();
  server = await startTestServer({
    database: databases.home,
    cells: databases.cells,
    worker: true,
  });
});

afterAll(async () => {
  await server.close();
  await databases.drop();
});

let admin: TestUser;
let tenant: TestTenant;
let analyst: Analyst;
let name: string;

/** A tenant with a scanned project, and something of most kinds. */
beforeEach(async () => {
  admin = await server.people.user();
  tenant = admin.tenant;
  analyst = new Analyst(server, admin.key, tenant.id);
  const project = await analyst.project([cluster('one', { legacyAbac: true })]);
  await analyst.scan([project]);
  const yearly = { cron: '0 0 1 1 *', timezone: 'UTC', profile: 'full' };
  await analyst.ask(201, '/schedules', {
    method: 'POST',
    body: { name: 'yearly', projects: [project], ...yearly },
  });
  await analyst.ask(201, '/webhooks', {
    method: 'POST',
    body: { url: 'http://127.0.0.1:49999/hook', events: ['scan.completed', 'api_key.created'] },
  });
  const { rows } = await databases.home.owner.query<{ name: string }>(
    'SELECT name FROM identity.tenants WHERE id = $1',
    [tenant.id],
  );
  name = rows[0]?.name ?? '';
});

const everywhere = async () => [
  ...(await tablesWithRows(databases.home, tenant.id)),
  ...(await tablesWithRows(databases.other, tenant.id)),
];
const triggers = async (database: TestDatabase) =>
  (await database.owner.query("SELECT FROM pg_trigger WHERE tgname LIKE 'tenant_deletion_%'"))
    .rowCount;
const me = async (headers: Readonly<Record<string, string>>) =>
  (await server.call('/auth/me', { headers })).status;

describe('npm run admin -- tenant delete', () => {
  it.each(['home', OTHER])(
    'tenant delete leaves no row of a tenant on %s in any table that has a tenant, and no trigger',
    async (place) => {
      if (place === OTHER) await move(databases, tenant.id, OTHER);
      expect((await everywhere()).length).toBeGreaterThan(20);
      const lines = await deleteTenantOf(databases, tenant.id, name);
      expect(lines.at(-1)).toMatch(
        new RegExp(`^\\S+Z Deleted tenant ${tenant.id} ".*" with \\d+ rows and 1 account\\.$`),
      );
      expect(await everywhere()).toEqual([]);
      expect(await triggers(databases.home)).toBe(0);
      expect(await triggers(databases.other)).toBe(0);
      expect(await me(admin.session)).toBe(401);
      expect(await me(admin.key)).toBe(401);
    },
  );

  it('tenant delete refuses writes of the tenant, and only of it, on a database that has never had DATABASE_CELLS', async () => {
    const database = await cloneDatabase();
    const { owner } = database;
    try {
      const [id, neighbour] = [newId(), newId()];
      for (const one of [id, neighbour]) {
        await owner.query(
          "INSERT INTO identity.tenants (id, name, features, created_at) VALUES ($1, 'Twin', '{}', now())",
          [one],
        );
      }
      const write = async (as: string) => {
        await owner.query("SELECT set_config('app.tenant_id', $1, false)", [as]);
        await owner.query(
          "INSERT INTO projects (tenant_id, id, name, description, created_at) VALUES ($1, $2, $3, '', now())",
          [as, newId(), newId()],
        );
      };
      await write(id);
      const single = { home: database, cells: [] };
      const killed = deleteTenantOf(single, id, 'Twin', (line) => {
        if (line.startsWith('Ended all')) throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      await expect(write(id)).rejects.toThrow(`tenant ${id} is gone`);
      await write(neighbour);
      await deleteTenantOf(single, id, 'Twin');
      expect(await tablesWithRows(database, id)).toEqual([]);
      expect(await tablesWithRows(database, neighbour)).toEqual(['projects', 'identity.tenants']);
      expect(await triggers(database)).toBe(0);
    } finally {
      await database.drop();
    }
  });

  it('tenant delete ends sessions and keys before it deletes rows, and continues after a kill at any line', async () => {
    const shown: string[] = [];
    const seen = await deleteTenantOf(databases, tenant.id, null).catch(() => []);
    expect(seen).toEqual([]);
    let denied = false;
    for (let at = 0; ; at += 1) {
      let count = 0;
      const kill = (line: string) => {
        shown.push(line);
        count += 1;
        if (count > at && !/\d (row|member)s?\b/.test(line)) {
          throw new Error('killed');
        }
      };
      const end = await deleteTenantOf(databases, tenant.id, name, kill).then(
        () => 'done',
        (error: Error) => error.message,
      );
      if (shown.some((line) => line.startsWith('Ended all')) && !denied) {
        denied = true;
        expect(await me(admin.session)).toBe(401);
        expect(await me(admin.key)).toBe(401);
        expect(await tablesWithRows(databases.home, tenant.id)).toContain('findings');
      }
      if (end !== 'killed' || shown.at(-1)?.includes('Deleted tenant')) break;
    }
    expect(denied).toBe(true);
    expect(await everywhere()).toEqual([]);
  });

  it('tenant delete keeps accounts with another tenant, their sessions there, and all rows of other tenants', async () => {
    const other = await server.people.user();
    await server.people.join(other, tenant, 'viewer');
    const neighbour = new Analyst(server, other.key, other.tenant.id);
    await neighbour.scan([await neighbour.project([cluster('two', { legacyAbac: true })])]);
    const before = await neighbour.ask(200, '/findings');
    await deleteTenantOf(databases, tenant.id, name);
    expect(await me(other.session)).toBe(200);
    expect(await neighbour.ask(200, '/findings')).toEqual(before);
    const { rows } = await databases.home.owner.query(
      'SELECT id FROM identity.users WHERE id = ANY ($1)',
      [[admin.id, other.id]],
    );
    expect(rows).toEqual([{ id: other.id }]);
  });

  it('tenant delete stops a scan that runs, and no row of it is written later', async () => {
    const project = await analyst.project(manyClusters(2_000));
    const id = await analyst.launch([project]);
    await until('the scan to run', async () => {
      const { status } = await analyst.ask(200, `/scans/${id}`);
      return status === 'running';
    });
    await deleteTenantOf(databases, tenant.id, name);
    // A scan of another tenant shows that the worker is free again.
    const neighbour = await Analyst.at(server);
    await neighbour.scan([await neighbour.project([cluster('two', { legacyAbac: true })])]);
    expect(await everywhere()).toEqual([]);
  });

  it.each<[string, () => [string, string | null], string]>([
    ['an unknown id', () => [newId(), name], 'does not exist'],
    ['another name', () => [tenant.id, `${name}x`], 'is named'],
    ['no name', () => [tenant.id, null], 'repeat the command with --confirm'],
  ])('tenant delete changes nothing for %s', async (_what, words, message) => {
    const lists = async () => {
      const shown: unknown[] = [];
      for (const path of ['/projects', '/scans', '/findings', '/schedules']) {
        shown.push(await analyst.ask(200, path));
      }
      return shown;
    };
    const before = await lists();
    await expect(deleteTenantOf(databases, ...words())).rejects.toThrow(message);
    expect(await lists()).toEqual(before);
    expect(await me(admin.session)).toBe(200);
    expect(await triggers(databases.home)).toBe(0);
  });
});

describe('the order of deletion', () => {
  it('the order of deletion has each table before those that it refers to, and rows of projects before projects', () => {
    const table = (of: string, ...refersTo: string[]) => ({
      ...{ name: of, columns: [], key: [] },
      refersTo,
    });
    const order = inDeletionOrder([
      table('findings'),
      table('projects'),
      table('inventories', 'projects'),
      table('chunks', 'inventories'),
    ]).map(({ name: of }) => of);
    expect(order).toEqual(['chunks', 'findings', 'inventories', 'projects']);
  });
});
