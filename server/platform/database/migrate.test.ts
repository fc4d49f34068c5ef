import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { startTestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../ids.ts';
import { MigrationError, migrate, missingMigrations } from './migrate.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const databases: TestDatabase[] = [];

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});

async function using(made: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await made;
  databases.push(database);
  return database;
}

/** All roles' privileges, and all objects. */
async function shapeOf({ owner }: TestDatabase) {
  const { rows } = await owner.query(`
    SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind, c.relacl::text AS rights,
           c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
           (SELECT array_agg(polname || pg_get_expr(polqual, polrelid) ORDER BY polname)
            FROM pg_policy WHERE polrelid = c.oid) AS policies
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'identity', 'jobs', 'graphile_worker', 'partitions')
    UNION ALL
    SELECT n.nspname, p.proname || pg_get_function_identity_arguments(p.oid), 'f', p.proacl::text, NULL, NULL, NULL
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname IN ('public', 'identity', 'jobs', 'graphile_worker', 'partitions')
    ORDER BY 1, 2, 3`);
  return rows;
}

describe('migrating', () => {
  it('migrating builds an empty database, lists what it applied, and changes nothing the second time', async () => {
    const database = await using(emptyDatabase());
    const applied = await migrate(database);
    expect(applied.length).toBeGreaterThanOrEqual(4);
    expect(applied).toEqual(applied.toSorted());
    const shape = await shapeOf(database);
    expect(await migrate(database)).toEqual([]);
    expect(await shapeOf(database)).toEqual(shape);
  });

  it('migrating tells once what it waits for while another process holds the lock of the migrations', async () => {
    const database = await using(cloneDatabase());
    const lock = 7_238_114_250n;
    await database.owner.query('SELECT pg_advisory_lock($1)', [lock]);
    const lines: string[] = [];
    const migrated = migrate({ ...database, say: (line) => lines.push(line) });
    await until('the line', async () => lines.length > 0);
    await database.owner.query('SELECT pg_advisory_unlock($1)', [lock]);
    expect(await migrated).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: waiting .* lock 7238114250 /)]);
  });

  it('migrating runs once for many concurrent starts', async () => {
    const database = await using(emptyDatabase());
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database)));
    const [winner = [], ...others] = applied.toSorted((a, b) => b.length - a.length);
    expect(winner.length).toBeGreaterThanOrEqual(4);
    expect(others).toEqual([[], [], []]);
    const { rows } = await database.owner.query('SELECT migration_name FROM _prisma_migrations');
    expect(rows.map(({ migration_name: name }) => name).toSorted()).toEqual(winner);
  });

  it('migrating continues where it was interrupted', async () => {
    const database = await using(emptyDatabase());
    const all = await migrate(database);
    // Pretends that the last ones came with a release that never started; each is one transaction.
    await database.owner.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_jobs'");
    await database.owner.query('DROP FUNCTION jobs.enqueue, jobs.beat, jobs.release_dead');
    expect(await migrate(database)).toEqual(all.filter((name) => name.endsWith('_jobs')));
  });

  it('migrating refuses a migration that was changed after it was applied, with the remedy', async () => {
    const database = await using(cloneDatabase());
    await database.owner.query(
      "UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name LIKE '%_tables'",
    );
    const error = await migrate(database).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MigrationError);
    expect(String(error)).toMatch(/_tables was changed after it was applied/);
  });

  it('migrating refuses a migration that was started but did not finish, as other tools leave it', async () => {
    const database = await using(cloneDatabase());
    await database.owner.query(
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_tables'",
    );
    await expect(migrate(database)).rejects.toThrow(/started but did not finish/);
  });

  it('migrating leaves nothing of a migration that fails, and names it', async () => {
    const database = await using(emptyDatabase());
    const obstacle = 'FUNCTION public.current_tenant()';
    await database.owner.query(`CREATE ${obstacle} RETURNS uuid LANGUAGE sql RETURN NULL::uuid`);
    await expect(migrate(database)).rejects.toThrow(/_row_level_security failed/);
    const { rows } = await database.owner.query('SELECT 1 FROM _prisma_migrations');
    expect(rows).toHaveLength(1);
    await database.owner.query(`DROP ${obstacle}`);
    expect((await migrate(database)).length).toBeGreaterThanOrEqual(3);
  });

  it('migrating and the whole product work with one database role for everything', async () => {
    const database = await using(emptyDatabase());
    const { ownerUrl } = database;
    const alone = { ...database, appUrl: ownerUrl, workerUrl: ownerUrl };
    await migrate(alone);
    await migrate(alone);
    const server = await startTestServer({ database: alone, worker: true });
    try {
      const { key } = await server.people.user();
      expect(
        (await server.call('/projects', { method: 'POST', headers: key, body: { name: 'p' } }))
          .status,
      ).toBe(201);
      // With FORCE ROW LEVEL SECURITY it applies to the owner too.
      expect((await database.owner.query('SELECT 1 FROM projects')).rows).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('migrating names the variable of a role that cannot sign in, and no password', async () => {
    const database = await using(cloneDatabase());
    const appUrl = Object.assign(new URL(database.appUrl), { password: 'wrong-word' }).href;
    const error = await migrate({ ...database, appUrl }).catch((reason: unknown) => reason);
    expect(String(error)).toContain('DATABASE_APP_URL');
    expect(String(error)).not.toContain('wrong-word');
  });

  it.each([
    ['DATABASE_APP_URL', 'appUrl'],
    ['DATABASE_WORKER_URL', 'workerUrl'],
  ] as const)('migrating refuses %s of another database, and names it', async (variable, role) => {
    const [database, other] = [await using(cloneDatabase()), await using(emptyDatabase())];
    await expect(migrate({ ...database, [role]: other[role] })).rejects.toThrow(
      `${variable}: is another database than DATABASE_URL; `,
    );
  });

  it('migrating accepts one database by different URLs', async () => {
    const database = await using(cloneDatabase());
    const appUrl = new URL(database.appUrl);
    appUrl.searchParams.set('application_name', 'other');
    expect(await migrate({ ...database, appUrl: appUrl.href })).toEqual([]);
  });

  it('migrating restores revoked privileges', async () => {
    const database = await using(cloneDatabase());
    const shape = await shapeOf(database);
    const role = new URL(database.appUrl).username;
    await database.owner.query(`REVOKE ALL ON projects FROM ${role}`);
    await database.owner.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA identity TO PUBLIC`);
    await migrate(database);
    const rights = (rows: typeof shape) =>
      rows.map(({ name, rights: held }) => [name, sorted(held)]);
    expect(rights(await shapeOf(database))).toEqual(rights(shape));
  });
});

/** Postgres lists privileges in the order in which they were granted. */
function sorted(rights: string | null): string[] | null {
  return rights === null ? null : rights.slice(1, -1).split(',').toSorted();
}

describe('migrating beside servers that run', () => {
  const SHOPS = 'CREATE TABLE shops (id int); INSERT INTO shops VALUES (1), (1)';
  const DROP = 'DROP INDEX CONCURRENTLY IF EXISTS shops_id';

  it('migrating builds an index concurrently and records it once, for many concurrent starts', async () => {
    const database = await using(cloneDatabase());
    await database.owner.query(SHOPS);
    const index = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS shops_id ON shops (id)';
    const migrations = await withMigrations({ '9_index': `-- Shops by id.\n${index};\n` });
    const others = [1, 2, 3].map(() => migrate({ ...database, migrations }));
    const applied = await Promise.all(others);
    expect(applied.toSorted()).toEqual([[], [], ['9_index']]);
    const gone = { '9_index': `-- Shops by id.\n${index};\n`, '9_z': DROP };
    expect(await migrate({ ...database, migrations: await withMigrations(gone) })).toEqual(['9_z']);
    const { rows } = await database.owner.query("SELECT to_regclass('shops_id') AS index");
    expect(rows).toEqual([{ index: null }]);
  });

  it('migrating rebuilds an index that an interrupted start has left invalid', async () => {
    const database = await using(cloneDatabase());
    await database.owner.query(SHOPS);
    const sql = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS shops_id ON public.shops (id)';
    const migrations = await withMigrations({ '9_index': sql });
    const failure = await migrate({ ...database, migrations }).catch(String);
    expect(failure).toContain('9_index failed');
    const valid = async () =>
      (
        await database.owner.query(
          "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('shops_id')",
        )
      ).rows[0]?.indisvalid;
    expect(await valid()).toBe(false);
    await database.owner.query('DELETE FROM shops WHERE ctid = (SELECT min(ctid) FROM shops)');
    expect(await migrate({ ...database, migrations })).toEqual(['9_index']);
    expect(await valid()).toBe(true);
  });

  it('migrating gives up on a table with a long-running reader, so no session queues behind it', async () => {
    const database = await using(cloneDatabase());
    const [reader, other] = [await connected(database), await connected(database)];
    await reader.query('BEGIN');
    await reader.query('SELECT 1 FROM projects');
    const migrations = await withMigrations({ '9_label': 'ALTER TABLE projects ADD label text' });
    const migrating = migrate({ ...database, migrations });
    await until('the migration to wait', async () => {
      const { rows } = await other.query(
        'SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = current_database() AND NOT granted',
      );
      return rows.length > 0;
    });
    // It queues behind the waiting migration, and runs as soon as that gives up, while the reader still holds its lock.
    await other.query('SELECT 1 FROM projects');
    expect(reader.getTransactionStatus()).toBe('T');
    await reader.query('COMMIT');
    expect(await migrating).toEqual(['9_label']);
    await Promise.all([reader.end(), other.end()]);
  });

  it('migrating gives way in a deadlock with a transaction of a running server, and tries again', async () => {
    const database = await using(cloneDatabase());
    const [request, other] = [await connected(database), await connected(database)];
    await request.query('BEGIN');
    await request.query('SELECT 1 FROM inventories');
    const migrations = await withMigrations({
      '9_labels': 'ALTER TABLE projects ADD label text; ALTER TABLE inventories ADD label text;',
    });
    const migrating = migrate({ ...database, migrations });
    await until('the migration to wait for its second table', async () => {
      const { rows } = await other.query(
        `SELECT 1 FROM pg_locks WHERE relation = 'inventories'::regclass AND NOT granted`,
      );
      return rows.length > 0;
    });
    await request.query('SELECT 1 FROM projects');
    await request.query('COMMIT');
    expect(await migrating).toEqual(['9_labels']);
    await Promise.all([request.end(), other.end()]);
  });

  it('migrating leaves the migrations of a later release alone', async () => {
    const database = await using(cloneDatabase());
    const migrations = await withMigrations({ '9_label': 'ALTER TABLE projects ADD label text' });
    await migrate({ ...database, migrations });
    const pool = new pg.Pool({ connectionString: database.appUrl });
    expect(await missingMigrations(pool)).toEqual([]);
    expect(await migrate(database)).toEqual([]);
    await pool.end();
  });

  it('migrating never removes rights of running workers, because it keeps the policy of the queue', async () => {
    const database = await using(cloneDatabase());
    const policies = async () =>
      (
        await database.owner.query(
          `SELECT p.oid, p.polname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
           WHERE c.relname LIKE '\\_private\\_%' ORDER BY p.oid`,
        )
      ).rows;
    const before = await policies();
    expect(before).toHaveLength(4);
    await migrate(database);
    expect(await policies()).toEqual(before);
    // The role that will replace the other one is already in use.
    await migrate({ ...database, workerUrl: database.ownerUrl });
    const both = await policies();
    expect(both).toHaveLength(8);
    expect(both).toEqual(expect.arrayContaining(before));
  });
});

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A copy of this release's migrations plus the given later ones, by name. */
async function withMigrations(later: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'cspm-migrations-'));
  folders.push(folder);
  await cp(join(ROOT, 'prisma/migrations'), folder, { recursive: true });
  for (const [name, sql] of Object.entries(later)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }
  return pathToFileURL(`${folder}/`);
}

async function connected({ ownerUrl }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  return client;
}

describe('the list of missing migrations', () => {
  it('the list of missing migrations can be read by the serving role', async () => {
    const database = await using(cloneDatabase());
    const pool = new pg.Pool({ connectionString: database.appUrl });
    expect(await missingMigrations(pool)).toEqual([]);
    await database.owner.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_jobs'");
    expect(await missingMigrations(pool)).toEqual([expect.stringMatching(/^\d+_jobs$/)]);
    await pool.end();
  });

  it("the list of missing migrations is also available to Prisma's command line", async () => {
    const database = await using(cloneDatabase());
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/prisma/build/index.js', 'migrate', 'status'],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          DATABASE_URL: database.ownerUrl,
          CHECKPOINT_DISABLE: '1',
          SCHEMA_ENGINE: 'wasm',
        },
      },
    );
    expect(stdout).toContain('Database schema is up to date!');
  });
});

describe('partitions', () => {
  async function partitionsOf({ owner }: TestDatabase, parent: string): Promise<string[]> {
    const { rows } = await owner.query(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
      [parent],
    );
    return rows.map(({ name }) => name);
  }

  it.each(['audit_events', 'scan_findings'])(
    'partitions of %s exist for this month and the next three',
    async (parent) => {
      const database = await using(cloneDatabase());
      const now = new Date();
      const months = [0, 1, 2, 3].map((ahead) => {
        const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
        return `partitions.${parent}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
      });
      const partitions = await partitionsOf(database, parent);
      expect(partitions).toEqual(
        expect.arrayContaining([...months, `partitions.${parent}_default`]),
      );
    },
  );

  it('rows of a month without a partition go to the default one, and a later start still succeeds', async () => {
    const database = await using(cloneDatabase());
    const tenant = newId();
    await database.owner.query("SELECT set_config('app.tenant_id', $1, false)", [tenant]);
    await database.owner.query(
      `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
       VALUES ($1, $2, '2099-05-17', 'x', 'success', 'system', '', '', '{}')`,
      [tenant, newId()],
    );
    // Simulates a server that ran for months and is restarted.
    await database.owner.query("SELECT partitions.ensure('2099-05-20', 4)");
    const partitions = await partitionsOf(database, 'audit_events');
    expect(partitions).toContain('partitions.audit_events_2099_06');
    const { rows } = await database.owner.query('SELECT at FROM audit_events');
    expect(rows).toHaveLength(1);
  });
});
