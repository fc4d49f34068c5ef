import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { newId } from '../ids.ts';

let database: TestDatabase;
let app: pg.Client;
let worker: pg.Client;

const ONE = newId();
const OTHER = newId();
const projectOf = { [ONE]: newId(), [OTHER]: newId() };

beforeAll(async () => {
  database = await cloneDatabase();
  app = await connected(database.appUrl);
  worker = await connected(database.workerUrl);
  for (const tenant of [ONE, OTHER]) {
    await pin(app, tenant);
    await app.query(
      'INSERT INTO projects (tenant_id, id, name, created_at) VALUES ($1, $2, $3, now())',
      [tenant, projectOf[tenant], 'p'],
    );
    await app.query(
      `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
       VALUES ($1, $2, now(), 'project.created', 'success', 'system', '', '', '{}')`,
      [tenant, newId()],
    );
  }
});

afterAll(async () => {
  await app.end();
  await worker.end();
  await database.drop();
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

function pin(client: pg.Client, tenant: string) {
  return client.query("SELECT set_config('app.tenant_id', $1, false)", [tenant]);
}

const DENIED = { code: '42501' };

async function tablesIn(...schemas: string[]): Promise<string[]> {
  const { rows } = await database.owner.query(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p') ORDER BY 1`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/** Which of these privileges a role has on which tables. */
async function rights(url: string, schemas: string[]): Promise<Record<string, string>> {
  const client = await connected(url);
  try {
    const granted: Record<string, string> = {};
    for (const table of await tablesIn(...schemas)) {
      const { rows } = await client.query(
        `SELECT string_agg(asked.privilege, ' ' ORDER BY asked.place) AS rights
         FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
           WITH ORDINALITY AS asked(privilege, place)
         WHERE has_schema_privilege(split_part($1, '.', 1), 'USAGE')
           AND has_table_privilege($1, asked.privilege)`,
        [table],
      );
      if (rows[0].rights !== null) granted[table] = rows[0].rights;
    }
    return granted;
  } finally {
    await client.end();
  }
}

describe.each([
  ['the serving role', () => app],
  ['the role of workers', () => worker],
])('%s', (_role, client) => {
  it('a role of the service is an ordinary one: no superuser, no bypass of row-level security, no objects, no memberships', async () => {
    const { rows } = await client().query(
      `SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication,
              (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS memberships
       FROM pg_roles r WHERE rolname = current_user`,
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        memberships: 0,
      },
    ]);
  });

  it('a role of the service owns nothing', async () => {
    for (const catalog of [
      'pg_class.relowner',
      'pg_proc.proowner',
      'pg_namespace.nspowner',
      'pg_type.typowner',
    ]) {
      const [table, column] = catalog.split('.');
      const { rows } = await client().query(
        `SELECT 1 FROM ${table} o JOIN pg_roles r ON r.oid = o.${column} WHERE r.rolname = current_user`,
      );
      expect(rows, catalog).toEqual([]);
    }
  });

  it('a role of the service cannot read any table of identities or placements', async () => {
    const tables = await tablesIn('identity', 'cells');
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables) {
      await expect(client().query(`SELECT 1 FROM ${table}`), table).rejects.toMatchObject(DENIED);
    }
  });

  it('a role of the service cannot access any partition directly', async () => {
    for (const table of await tablesIn('partitions')) {
      await expect(client().query(`SELECT 1 FROM ${table}`), table).rejects.toMatchObject(DENIED);
    }
    await expect(client().query('SELECT partitions.ensure(now(), 1)')).rejects.toMatchObject(
      DENIED,
    );
  });

  it.each([
    'CREATE TABLE public.mine (x int)',
    'CREATE SCHEMA mine',
    'ALTER TABLE projects DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE projects NO FORCE ROW LEVEL SECURITY',
    'CREATE POLICY open ON projects USING (true)',
    'DROP POLICY tenant_isolation ON projects',
    'TRUNCATE projects',
    'SET ROLE cspm_owner',
    'DELETE FROM audit_events',
    "UPDATE audit_events SET action = 'x'",
    'TRUNCATE audit_events',
  ])('a role of the service may not execute %s', async (statement) => {
    await expect(client().query(statement)).rejects.toMatchObject(DENIED);
  });

  it('a connection that is bound to no tenant sees no rows of any table', async () => {
    for (const unbound of ['', null]) {
      await (unbound === null ? client().query('RESET app.tenant_id') : pin(client(), unbound));
      for (const table of await tablesIn('public')) {
        const readable = await client().query('SELECT has_table_privilege($1, $2) AS yes', [
          table,
          'SELECT',
        ]);
        if (!readable.rows[0].yes || table === 'public._prisma_migrations') continue;
        expect((await client().query(`SELECT 1 FROM ${table}`)).rows, table).toEqual([]);
      }
    }
  });

  it('a connection that is bound to a tenant sees only the rows of that tenant', async () => {
    for (const tenant of [ONE, OTHER]) {
      await pin(client(), tenant);
      const { rows } = await client().query('SELECT tenant_id, id FROM projects');
      expect(rows).toEqual([{ tenant_id: tenant, id: projectOf[tenant] }]);
    }
  });
});

it('every table of tenants can be read by the serving role or by the worker', async () => {
  const granted = [
    ...Object.keys(await rights(database.appUrl, ['public'])),
    ...Object.keys(await rights(database.workerUrl, ['public'])),
  ];
  expect(
    (await tablesIn('public')).filter((table) => !granted.includes(table)),
    'Add the rights on these tables to APP_TABLES or WORKER_TABLES in server/platform/database/grants.ts',
  ).toEqual([]);
});

const RIGHTS_REMEDY =
  'The rights are defined in server/platform/database/grants.ts; list intended ones here as well';

describe('the serving role', () => {
  it('the serving role has exactly the listed rights on tables', async () => {
    expect(
      await rights(database.appUrl, [
        'public',
        'identity',
        'jobs',
        'graphile_worker',
        'partitions',
      ]),
      RIGHTS_REMEDY,
    ).toEqual({
      'public._prisma_migrations': 'SELECT',
      'public.audit_events': 'SELECT INSERT',
      'public.audit_labels': 'SELECT',
      'public.custom_rules': 'SELECT INSERT UPDATE DELETE',
      'public.finding_repeats': 'SELECT',
      'public.findings': 'SELECT DELETE',
      'public.idempotency_records': 'SELECT INSERT DELETE',
      'public.inventories': 'SELECT INSERT UPDATE DELETE',
      'public.inventory_assets': 'SELECT INSERT DELETE',
      'public.inventory_chunks': 'SELECT INSERT DELETE',
      'public.mutes': 'SELECT INSERT DELETE',
      'public.posture_days': 'SELECT',
      'public.posture_totals': 'SELECT UPDATE DELETE',
      'public.profiles': 'SELECT INSERT UPDATE DELETE',
      'public.projects': 'SELECT INSERT UPDATE DELETE',
      'public.pull_pages': 'SELECT INSERT DELETE',
      'public.pulls': 'SELECT INSERT UPDATE DELETE',
      'public.rulesets': 'SELECT INSERT',
      'public.saved_views': 'SELECT INSERT UPDATE DELETE',
      'public.notification_settings': 'SELECT INSERT UPDATE DELETE',
      'public.scan_findings': 'SELECT',
      'public.scan_projects': 'SELECT INSERT UPDATE',
      'public.scan_rule_counts': 'SELECT',
      'public.scan_verdicts': 'SELECT',
      'public.scans': 'SELECT INSERT UPDATE',
      'public.schedules': 'SELECT INSERT UPDATE DELETE',
      'public.sources': 'SELECT INSERT UPDATE DELETE',
      'public.webhook_deliveries': 'SELECT INSERT UPDATE DELETE',
      'public.webhook_events': 'SELECT INSERT',
      'public.webhooks': 'SELECT INSERT UPDATE DELETE',
    });
  });

  it('the serving role can queue jobs only by the function for it', async () => {
    await expect(
      app.query("SELECT jobs.enqueue('scan-project', '{}', NULL, NULL)"),
    ).resolves.toBeDefined();
    await expect(app.query("SELECT graphile_worker.add_job('x')")).rejects.toMatchObject(DENIED);
    await expect(app.query('SELECT jobs.release_dead(now())')).rejects.toMatchObject(DENIED);
  });

  it.each([
    [
      'an insert for another tenant',
      'INSERT INTO projects (tenant_id, id, name, created_at) VALUES ($1, $2, $3, now())',
    ],
    [
      'an insert for no tenant',
      'INSERT INTO projects (id, name, created_at) SELECT $2, $3, now() WHERE $1::text IS NOT NULL',
    ],
    [
      'a row moved to another tenant',
      'UPDATE projects SET tenant_id = $1 WHERE $2::uuid IS NOT NULL AND $3::text IS NOT NULL',
    ],
  ])('the serving role is refused %s', async (_what, statement) => {
    await pin(app, ONE);
    await expect(app.query(statement, [OTHER, newId(), 'q'])).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|23502)$/),
    });
  });

  it('the serving role cannot change or delete rows of another tenant', async () => {
    await pin(app, ONE);
    const id = projectOf[OTHER];
    expect(
      (await app.query("UPDATE projects SET description = 'x' WHERE id = $1", [id])).rowCount,
    ).toBe(0);
    expect((await app.query('DELETE FROM projects WHERE id = $1', [id])).rowCount).toBe(0);
    expect((await app.query('DELETE FROM findings')).rowCount).toBe(0);
  });

  it('the serving role cannot attach its rows to those of another tenant', async () => {
    await pin(app, ONE);
    await expect(
      app.query(
        `INSERT INTO inventories (tenant_id, id, project_id, status, assets, asset_types, bytes, warnings, created_at)
         VALUES ($1, $2, $3, 'ready', 0, '[]', 0, '[]', now())`,
        [ONE, newId(), projectOf[OTHER]],
      ),
    ).rejects.toMatchObject({ code: '23503' });
  });
});

describe('the owner of the tables', () => {
  it('the owner of the tables is no superuser, and sees no row unless bound to a tenant', async () => {
    const { rows } = await database.owner.query(
      'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    expect((await database.owner.query('SELECT 1 FROM projects')).rows).toEqual([]);
  });
});
