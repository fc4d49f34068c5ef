import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EmbeddedPostgres } from '../server/development/embedded.ts';
import { startTemporary } from '../server/development/embedded-temporary.ts';
import { schemaDifference } from './check-drift.ts';

const timeoutMs = 150_000;

/** Tables in a Prisma schema. */
const schema = `
generator client {
  provider            = "prisma-client"
  output              = "../generated"
  importFileExtension = "ts"
  moduleFormat        = "esm"
  runtime             = "nodejs"
}

datasource db {
  provider = "postgresql"
  schemas  = ["public", "identity"]
}

model Tenant {
  id     String  @id @db.Uuid
  name   String
  events Event[]

  @@map("tenants")
  @@schema("identity")
}

model Event {
  tenantId String   @map("tenant_id") @db.Uuid
  id       String   @default(dbgenerated("uuidv7()")) @db.Uuid
  at       DateTime @default(now()) @db.Timestamptz(3)
  labels   String[] @default([])
  detail   Json     @default("{}")
  digest   Bytes

  tenant Tenant @relation(fields: [tenantId], references: [id], onDelete: Cascade)

  @@id([tenantId, id, at])
  @@index([tenantId, at(sort: Desc)])
  @@map("events")
  @@schema("public")
}
`;

/** The same tables in SQL, with everything that Prisma cannot express. */
const migration = `
CREATE SCHEMA IF NOT EXISTS identity;
CREATE SCHEMA IF NOT EXISTS partitions;

CREATE TABLE identity.tenants (
  id uuid NOT NULL,
  name text NOT NULL CHECK (name <> ''),
  CONSTRAINT tenants_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX tenants_lower_name ON identity.tenants (lower(name));

CREATE TABLE events (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz(3) NOT NULL DEFAULT now(),
  labels text[] NOT NULL DEFAULT '{}',
  detail jsonb NOT NULL DEFAULT '{}',
  digest bytea NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (tenant_id, id, at),
  CONSTRAINT events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (id)
    ON DELETE CASCADE ON UPDATE CASCADE
) PARTITION BY RANGE (at);
CREATE TABLE partitions.events_2026_11 PARTITION OF events
  FOR VALUES FROM ('2026-11-01') TO ('2026-12-01');
CREATE TABLE partitions.events_default PARTITION OF events DEFAULT;
CREATE INDEX events_tenant_id_at_idx ON events (tenant_id, at DESC);
CREATE INDEX events_labelled ON events (tenant_id) WHERE labels <> '{}';

ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON events
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

CREATE FUNCTION shout(word text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  said text := 'no; not yet';
BEGIN
  said := upper(word) || ';';
  RETURN said;
END;
$$;

CREATE FUNCTION trim_name() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  NEW.name := trim(NEW.name);
  RETURN NEW;
END;
$body$;
CREATE TRIGGER trim_name BEFORE INSERT ON identity.tenants
  FOR EACH ROW EXECUTE FUNCTION trim_name();
`;

let server: EmbeddedPostgres;
let folder: string;

beforeAll(async () => {
  [server, folder] = await Promise.all([startTemporary(), makeProject()]);
  expect(await prisma(['migrate', 'deploy'])).toMatchObject({ code: 0 });
}, timeoutMs);

afterAll(async () => {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

test('prisma generate works without a database', { timeout: timeoutMs }, async () => {
  const { code, stderr } = await prisma(['generate'], { DATABASE_URL: undefined });
  expect(stderr).not.toContain('Error');
  expect(code).toBe(0);
  expect(await readFile(join(folder, 'generated/client.ts'), 'utf8')).toContain('PrismaClient');
});

test('prisma migrate deploy applies migrations, including bodies of functions', {
  timeout: timeoutMs,
}, async () => {
  expect(await query("SELECT shout('ay')")).toEqual([{ shout: 'AY;' }]);
  await query("INSERT INTO identity.tenants VALUES (gen_random_uuid(), ' Acme ')");
  expect(await query('SELECT name FROM identity.tenants')).toEqual([{ name: 'Acme' }]);

  const status = await prisma(['migrate', 'status']);
  expect(status.stdout).toContain('Database schema is up to date!');
  expect(status.code).toBe(0);
});

test('the schema drift check reports no drift for the present database', {
  timeout: timeoutMs,
}, async () => {
  const args = ['--from-config-datasource', '--to-schema', 'prisma/schema.prisma'];
  expect(await prisma(['migrate', 'diff', '--exit-code', ...args])).toMatchObject({ code: 0 });
});

test('the schema drift check ignores hand-written SQL that Prisma does not know', {
  timeout: timeoutMs,
}, async () => {
  const args = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
  expect(await prisma(['migrate', 'diff', '--exit-code', ...args])).toMatchObject({ code: 0 });
});

test('the schema drift check reports a difference as SQL', { timeout: timeoutMs }, async () => {
  const migrations = join(folder, 'prisma/migrations');
  const difference = await schemaDifference({ schema: await writeChangedSchema(), migrations });
  expect(difference).toContain('ALTER TABLE "events" ADD COLUMN     "note" TEXT;');
});

test('prisma migrate diff writes its SQL to a file and leaves no shadow database behind', {
  timeout: timeoutMs,
}, async () => {
  const args = [
    '--from-migrations',
    'prisma/migrations',
    '--to-schema',
    await writeChangedSchema(),
  ];
  const output = join(folder, 'output.sql');
  const diff = await prisma(['migrate', 'diff', ...args, '--script', '--output', output]);
  expect(diff.code).toBe(0);
  expect(await readFile(output, 'utf8')).toContain('ADD COLUMN     "note" TEXT;');
  expect(await query("SELECT datname FROM pg_database WHERE datname LIKE '%shadow%'")).toEqual([]);
});

test('a migration may contain Unicode line separators', { timeout: timeoutMs }, async () => {
  const migrations = join(folder, 'prisma/separators');
  await writeMigrations(migrations, "CREATE TABLE notes (text text DEFAULT '\u2028\u2029');\n");
  const diff = await prisma(['migrate', 'diff', '--from-empty', '--to-migrations', migrations]);
  expect(diff.stdout).toContain('notes');
});

test('a migration that fails is reported with the message of Postgres', {
  timeout: timeoutMs,
}, async () => {
  const migrations = join(folder, 'prisma/broken');
  await writeMigrations(migrations, 'SELECT 1;\nSELECT * FROM nowhere;\n');
  const args = ['--from-migrations', migrations, '--to-schema', 'prisma/schema.prisma'];
  const { code, stderr } = await prisma(['migrate', 'diff', ...args]);
  expect(code).toBe(1);
  expect(stderr).toContain('P3006');
  expect(stderr).toContain('42P01: relation "nowhere" does not exist');
  expect(stderr).toContain('Line 2: SELECT * FROM nowhere;');
  expect(await query("SELECT datname FROM pg_database WHERE datname LIKE '%shadow%'")).toEqual([]);
});

test('a database that cannot be reached is reported with its own code', {
  timeout: timeoutMs,
}, async () => {
  const url = new URL(server.ownerUrl);
  url.port = '1';
  const { code, stderr } = await prisma(['migrate', 'status'], { DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(stderr).toContain("P1001: Can't reach database server at `127.0.0.1:1`");
});

test('an unknown value of SCHEMA_ENGINE is refused', { timeout: timeoutMs }, async () => {
  const { code, stdout, stderr } = await prisma(['validate'], { SCHEMA_ENGINE: 'native' });
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('Set it to "wasm", or leave it out.');
});

test.each([
  ['wasm', /schema-engine\.mjs$/],
  [undefined, /^undefined$/],
])('SCHEMA_ENGINE=%s selects the engine', { timeout: timeoutMs }, async (chosen, binary) => {
  const configuration = new URL('../prisma.config.ts', import.meta.url).href;
  const script = `await import('${configuration}'); console.log(process.env.PRISMA_SCHEMA_ENGINE_BINARY);`;
  const env = { ...process.env, SCHEMA_ENGINE: chosen, PRISMA_SCHEMA_ENGINE_BINARY: undefined };
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout.trim()).toMatch(binary);
});

/** A project with the repository's own configuration, except for its paths. */
async function makeProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'cspm-prisma-'));
  const configuration = new URL('../prisma.config.ts', import.meta.url).href;
  await writeMigrations(join(project, 'prisma/migrations'), migration);
  await writeFile(join(project, 'prisma/schema.prisma'), schema);
  await writeFile(
    join(project, 'prisma.config.ts'),
    `import config from ${JSON.stringify(configuration)};\nexport default config;\n`,
  );
  // Where the generated client looks for Prisma's runtime.
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
  await symlink(modules, join(project, 'node_modules'), 'junction');
  return project;
}

async function writeMigrations(path: string, sql: string): Promise<void> {
  await mkdir(join(path, '20260101000000_first'), { recursive: true });
  await writeFile(join(path, '20260101000000_first/migration.sql'), sql);
  await writeFile(join(path, 'migration_lock.toml'), 'provider = "postgresql"\n');
}

/** @returns its path. */
async function writeChangedSchema(): Promise<string> {
  const path = join(folder, 'prisma/changed.prisma');
  await writeFile(path, schema.replace('  digest   Bytes', '  digest   Bytes\n  note String?'));
  return path;
}

async function prisma(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | string | null; stdout: string; stderr: string }> {
  const packageJson = createRequire(import.meta.url).resolve('prisma/package.json');
  const cli = join(dirname(packageJson), 'build/index.js');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cli, ...args],
      {
        cwd: folder,
        env: {
          ...process.env,
          DATABASE_URL: server.ownerUrl,
          SCHEMA_ENGINE: 'wasm',
          // The configuration sets it, and is under test.
          PRISMA_SCHEMA_ENGINE_BINARY: undefined,
          CHECKPOINT_DISABLE: '1',
          NO_COLOR: '1',
          ...env,
        },
      },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client(server.ownerUrl);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
