import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { move, OTHER, type TestCells, testCells } from '../../../tests/kit/cells.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import { mailsTo, tokenIn } from '../../../tests/kit/mailbox.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { TEST_PASSWORD } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { KEPT_AT_HOME, LEFT_BEHIND, REBUILT, tenantTables } from '../../platform/cells/tables.ts';

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

/** Not due while the tests run. */
const RARELY = { cron: '0 0 1 1 *', timezone: 'UTC', profile: 'full' };

/** A tenant with a scanned project, and something of most kinds. */
async function furnished(): Promise<{ analyst: Analyst; project: string }> {
  const analyst = await Analyst.at(server);
  const project = await analyst.project([cluster('one', { legacyAbac: true })]);
  await analyst.scan([project]);
  await analyst.ask(201, '/schedules', {
    method: 'POST',
    body: { name: 'yearly', projects: [project], ...RARELY },
  });
  await analyst.ask(201, '/webhooks', {
    method: 'POST',
    body: { url: 'http://127.0.0.1:49999/hook', events: ['scan.completed', 'api_key.created'] },
  });
  // The worker gives its slot back after it has told that the scan is complete.
  await until('the scan to leave its slot', async () => {
    const slots = await rowsOf(databases.home, analyst.tenantId, 'SELECT 1 FROM scan_slots');
    return slots.length === 0;
  });
  return { analyst, project };
}

const LISTS = ['/projects', '/scans', '/findings', '/schedules', '/webhooks', '/findings/summary'];

/** The API responses about the tenant, without what requests themselves change. */
async function told(analyst: Analyst): Promise<unknown> {
  const lists: unknown[] = [];
  for (const path of LISTS) lists.push(await analyst.ask(200, path));
  return lists;
}

async function actions(analyst: Analyst): Promise<string[]> {
  const { items } = await analyst.ask(200, '/audit-events?limit=100');
  return items.map(({ id, action }: { id: string; action: string }) => `${id} ${action}`);
}

async function counts(database: TestDatabase, tenantId: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { name } of await tenantTables(database.owner)) {
    const [row] = await rowsOf(database, tenantId, `SELECT count(*)::int AS rows FROM ${name}`);
    if (Number(row?.['rows']) > 0) found[name] = Number(row?.['rows']);
  }
  return found;
}

const withoutKept = (found: Record<string, number>) =>
  Object.fromEntries(Object.entries(found).filter(([name]) => !KEPT_AT_HOME.has(name)));

/** Open connections to the other database. */
async function connectionsNamed(name: string): Promise<number> {
  const { rows } = await databases.other.owner.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
    [name],
  );
  return rows.length;
}

describe('admin tenant move', () => {
  it('admin tenant move, there and back, leaves every API response of the tenant unchanged and no rows at the source', async () => {
    const { analyst } = await furnished();
    const before = await told(analyst);
    const audit = await actions(analyst);
    const rows = await counts(databases.home, analyst.tenantId);
    expect(Object.keys(rows).length).toBeGreaterThan(12);

    await move(databases, analyst.tenantId, OTHER);
    expect(await told(analyst)).toEqual(before);
    expect(await actions(analyst)).toEqual(audit);
    expect(await counts(databases.other, analyst.tenantId)).toEqual(rows);
    expect(withoutKept(await counts(databases.home, analyst.tenantId))).toEqual({});

    await move(databases, analyst.tenantId, 'home');
    expect(await told(analyst)).toEqual(before);
    expect(await actions(analyst)).toEqual(audit);
    expect(await counts(databases.home, analyst.tenantId)).toEqual(rows);
    expect(await counts(databases.other, analyst.tenantId)).toEqual({});
  });

  it('after admin tenant move, a large upload is written to the database that has the tenant', async () => {
    const { analyst, project } = await furnished();
    await move(databases, analyst.tenantId, OTHER);
    const { assets } = await analyst.upload(project, manyClusters(300, 30_000));
    expect(assets).toBe(300);
    const chunks = 'SELECT count(*)::int AS chunks FROM inventory_chunks';
    const [there] = await rowsOf(databases.other, analyst.tenantId, chunks);
    expect(Number(there?.['chunks'])).toBeGreaterThan(5);
    const [left] = await rowsOf(databases.home, analyst.tenantId, chunks);
    expect(left).toEqual({ chunks: 0 });
    expect(await connectionsNamed('cspm background of cell other')).toBe(1);
    const totals = { assets: 300, fail: 100 };
    expect(await analyst.scan(project, 'gke')).toMatchObject({ status: 'completed', totals });
  });

  it('admin tenant move leaves the rows of other tenants alone', async () => {
    const [{ analyst: stays }, { analyst: goes }] = [await furnished(), await furnished()];
    const before = [await told(stays), await counts(databases.home, stays.tenantId)];
    await move(databases, goes.tenantId, OTHER);
    expect([await told(stays), await counts(databases.home, stays.tenantId)]).toEqual(before);
    expect(await counts(databases.other, stays.tenantId)).toEqual({});
  });

  it('admin tenant move deletes the findings of a project before the project, in batches', async () => {
    const { analyst } = await furnished();
    const { owner } = databases.home;
    await owner.query(`
      CREATE FUNCTION public.refuse_with_findings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM public.findings f WHERE f.tenant_id = OLD.tenant_id AND f.project_id = OLD.id)
        THEN RAISE 'the project has findings'; END IF;
        RETURN OLD;
      END $$;
      CREATE TRIGGER refuse_with_findings BEFORE DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION public.refuse_with_findings()`);
    await move(databases, analyst.tenantId, OTHER);
    expect(withoutKept(await counts(databases.home, analyst.tenantId))).toEqual({});
    await owner.query(
      'DROP TRIGGER refuse_with_findings ON projects; DROP FUNCTION public.refuse_with_findings',
    );
  });

  it('a tenant can scan, invite and remove people after admin tenant move', async () => {
    const { analyst, project } = await furnished();
    await move(databases, analyst.tenantId, OTHER);
    const scan = await analyst.scan([project]);
    expect(scan.status).toBe('completed');
    const [row] = await rowsOf(
      databases.other,
      analyst.tenantId,
      'SELECT count(*)::int AS scans FROM scans',
    );
    expect(row).toEqual({ scans: 2 });
    const user = await server.people.user({
      role: 'analyst',
      tenant: { id: analyst.tenantId, name: '' },
    });
    const member = new Analyst(server, user.key, analyst.tenantId);
    await member.project();
    const labels = () =>
      rowsOf(
        databases.other,
        analyst.tenantId,
        'SELECT label FROM audit_labels WHERE actor_id = $1',
        [user.id],
      );
    expect(await labels()).toEqual([{ label: user.email }]);
    await databases.home.owner.query(
      'DELETE FROM identity.memberships WHERE tenant_id = $1 AND user_id = $2',
      [analyst.tenantId, user.id],
    );
    await until('the name to be erased', async () => (await labels()).length === 0);
  });

  it('a person who leaves a moved tenant by proof of their address is erased in both databases', async () => {
    const { analyst } = await furnished();
    await move(databases, analyst.tenantId, OTHER);
    const tenant = { id: analyst.tenantId, name: '' };
    const user = await server.people.user({ role: 'analyst', tenant, verified: false });
    const { owner } = databases.home;
    await owner.query('UPDATE identity.memberships SET by_provider = true WHERE user_id = $1', [
      user.id,
    ]);
    const label = 'INSERT INTO audit_labels (tenant_id, actor_id, label) VALUES ($1, $2, $3)';
    await rowsOf(databases.home, tenant.id, label, [tenant.id, user.id, user.email]);
    await new Analyst(server, user.key, tenant.id).project();
    const labels = (database: TestDatabase) =>
      rowsOf(database, tenant.id, 'SELECT label FROM audit_labels WHERE actor_id = $1', [user.id]);
    expect(await labels(databases.other)).toEqual([{ label: user.email }]);
    const { email } = user;
    await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
    const token = tokenIn((await mailsTo(server, email)).at(-1));
    const body = { token, password: TEST_PASSWORD };
    const reset = await server.call('/auth/reset-password', { method: 'POST', body });
    expect(reset.status).toBe(204);
    expect(await labels(databases.home)).toEqual([]);
    await until('the name to be erased', async () => (await labels(databases.other)).length === 0);
  });

  it('events of identity operations on a moved tenant are stored with its data, not left in the directory database', async () => {
    const { analyst } = await furnished();
    await move(databases, analyst.tenantId, OTHER);
    const user = await server.people.user({ tenant: { id: analyst.tenantId, name: '' } });
    await server.call('/api-keys', { method: 'POST', headers: user.session, body: { name: 'ci' } });
    await until('the event to arrive', async () => {
      const rows = await rowsOf(
        databases.other,
        analyst.tenantId,
        "SELECT 1 FROM webhook_events WHERE type = 'api_key.created'",
      );
      return rows.length === 1;
    });
    expect(withoutKept(await counts(databases.home, analyst.tenantId))).toEqual({});
  });

  it('a move to a database without room says so, leaves the tenant where it is, and continues once there is room', async () => {
    const { analyst } = await furnished();
    const before = await told(analyst);
    const { owner } = databases.other;
    await owner.query(`
      CREATE FUNCTION public.lack_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
      END $$;
      CREATE TRIGGER lack_room BEFORE INSERT ON findings FOR EACH ROW EXECUTE FUNCTION public.lack_room()`);
    await expect(move(databases, analyst.tenantId, OTHER)).rejects.toThrow(
      'A database has no room: could not extend file: No space left on device. Give it room, and repeat the command: the move continues. Or end it with --abort.',
    );
    expect(await told(analyst)).toEqual(before);
    await owner.query('DROP TRIGGER lack_room ON findings; DROP FUNCTION public.lack_room');
    await move(databases, analyst.tenantId, OTHER);
    expect(await told(analyst)).toEqual(before);
  });

  it.each([{ abort: true }, {}])(
    'a move whose target was lost ends with an empty database in its place, with the flags %o',
    async (flags) => {
      const { analyst } = await furnished();
      const before = await told(analyst);
      const killed = move(databases, analyst.tenantId, OTHER, {}, (line) => {
        if (line.startsWith('findings: ')) throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      const empty = await cloneDatabase();
      const { home } = databases;
      const { ownerUrl, appUrl, workerUrl } = empty;
      const cells = [{ name: OTHER, ownerUrl, appUrl, workerUrl }];
      await move({ home, cells }, analyst.tenantId, OTHER, flags);
      if (flags.abort === undefined) await move({ home, cells }, analyst.tenantId, 'home');
      expect(await told(analyst)).toEqual(before);
      expect(await counts(empty, analyst.tenantId)).toEqual({});
      await empty.drop();
      await move(databases, analyst.tenantId, OTHER);
      expect(await told(analyst)).toEqual(before);
    },
  );

  it.each([
    ['the database that it leaves', () => databases.home],
    ['the database that it goes to', () => databases.other],
  ])(
    'a move copies a table again when %s has dropped an expired month of it meanwhile',
    async (_which, databaseOf) => {
      const { analyst } = await furnished();
      for (const { owner } of [databases.home, databases.other]) {
        await owner.query("SELECT partitions.ensure('2020-05-01Z', 1)");
      }
      await rowsOf(
        databases.home,
        analyst.tenantId,
        `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
         VALUES ($1, gen_random_uuid(), '2020-05-02Z', 'x', 'success', 'system', '', '', '{}')`,
        [analyst.tenantId],
      );
      const killed = move(databases, analyst.tenantId, OTHER, {}, (line) => {
        if (line.startsWith('findings: ')) throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      await databaseOf().owner.query('DROP TABLE partitions.audit_events_2020_05');
      const { audit_events: rows } = await counts(databases.home, analyst.tenantId);
      const lines = await move(databases, analyst.tenantId, OTHER);
      expect(lines).toContain('A month of audit_events has expired; copying the table again');
      expect((await counts(databases.other, analyst.tenantId))['audit_events']).toBe(rows);
    },
  );

  it('admin tenant move counts rows and changes nothing with --dry-run', async () => {
    const { analyst } = await furnished();
    const rows = await counts(databases.home, analyst.tenantId);
    const lines = await move(databases, analyst.tenantId, OTHER, { dryRun: true });
    expect(rows['scans']).toBe(1);
    expect(lines).toContain('scans: 1 row');
    expect(await counts(databases.home, analyst.tenantId)).toEqual(rows);
    expect(await counts(databases.other, analyst.tenantId)).toEqual({});
  });

  it('admin tenant move refuses a cell that is not configured, and a tenant that does not exist', async () => {
    const { id } = await server.people.tenant();
    await expect(move(databases, id, 'nowhere')).rejects.toThrow('has no cell nowhere');
    await expect(move(databases, 'nobody', OTHER)).rejects.toThrow('does not exist');
    expect(await move(databases, id, 'home')).toEqual([`Tenant ${id} is on home.`]);
  });

  it.each([{}, { dryRun: true }])(
    'admin tenant move refuses a cell that is the database of the tenant, and deletes nothing, with the flags %o',
    async (flags) => {
      const { analyst } = await furnished();
      const rows = await counts(databases.home, analyst.tenantId);
      const { home } = databases;
      const { ownerUrl, appUrl, workerUrl } = home;
      const cells = [...databases.cells, { name: 'eu', ownerUrl, appUrl, workerUrl }];
      const lines: string[] = [];
      await expect(
        move({ home, cells }, analyst.tenantId, 'eu', flags, (line) => void lines.push(line)),
      ).rejects.toThrow('DATABASE_CELLS.eu.url: is the same database as DATABASE_URL');
      expect(lines).toEqual([]);
      expect(await counts(home, analyst.tenantId)).toEqual(rows);
    },
  );
});

describe('a database that a tenant has left', () => {
  it("a database that a tenant has left refuses writes of the tenant's rows by any role, even from a server without DATABASE_CELLS", async () => {
    const { analyst } = await furnished();
    await move(databases, analyst.tenantId, OTHER);
    const old = await startTestServer({ database: databases.home });
    const reply = await old.call('/projects', {
      method: 'POST',
      headers: analyst.headers,
      body: { name: 'lost' },
    });
    expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    await old.close();
    expect(withoutKept(await counts(databases.home, analyst.tenantId))).toEqual({});
  });
});

describe('a move of a tenant', () => {
  it('admin tenant move covers every table with a tenant: copied, rebuilt, left behind, or identities, which stay', async () => {
    const { rows } = await databases.home.owner.query<{ name: string }>(
      `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('identity', 'cells')`,
    );
    const covered = [
      ...(await tenantTables(databases.home.owner)).map(({ name }) => `public.${name}`),
      ...REBUILT,
      ...LEFT_BEHIND,
    ];
    expect(
      rows.map(({ name }) => name).sort(),
      'Decide in server/platform/cells/tables.ts',
    ).toEqual(covered.sort());
  });

  it('admin tenant move copies a table that a later migration adds, and guards it', async () => {
    const { analyst } = await furnished();
    for (const { owner } of [databases.home, databases.other]) {
      await owner.query(`CREATE TABLE public.later (
        tenant_id uuid NOT NULL, id bigint NOT NULL, "Odd name" jsonb, at timestamptz, PRIMARY KEY (tenant_id, id))`);
    }
    await databases.home.owner.query(
      `INSERT INTO later VALUES ($1, 9007199254740993, '{"a": 1.50}', '2026-01-01 00:00:00.123456+00')`,
      [analyst.tenantId],
    );
    await move(databases, analyst.tenantId, OTHER);
    const there = await rowsOf(
      databases.other,
      analyst.tenantId,
      'SELECT l::text AS row FROM later l',
    );
    expect(there).toEqual([
      {
        row: `(${analyst.tenantId},9007199254740993,"{""a"": 1.50}","2026-01-01 00:00:00.123456+00")`,
      },
    ]);
    await expect(
      rowsOf(databases.home, analyst.tenantId, 'INSERT INTO later (tenant_id, id) VALUES ($1, 1)', [
        analyst.tenantId,
      ]),
    ).rejects.toThrow('its rows are in another database');
  });
});
