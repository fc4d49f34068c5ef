import { type Draft, FILL_IN, Misuse } from './draft.ts';
import { camel, pascal, singular } from './names.ts';
import type { Options } from './options.ts';

const SCHEMA = 'prisma/schema.prisma';
const GRANTS = 'server/platform/database/grants.ts';
const RIGHTS = 'server/platform/database/roles.test.ts';
const WALLS = 'server/platform/database/row-level-security.test.ts';

/** A table of tenants: its model, migration with row-level security, grants, and an isolation test. */
export function newTable(
  draft: Draft,
  name: string,
  options: Options,
  now: Date,
): readonly string[] {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) || singular(name) === name) {
    throw new Misuse(
      `${name} is not a table name. Write the plural in lower case with underscores: scan_labels.`,
    );
  }
  const schema = draft.read(SCHEMA);
  const model = pascal(singular(name));
  if (schema.includes(`@@map("${name}")`) || schema.includes(`\nmodel ${model} {`)) {
    throw new Misuse(
      `${SCHEMA} already has the table ${name} or the model ${model}. Choose another name.`,
    );
  }
  const { module } = options;
  if (module === undefined || !/^[a-z-]+$/.test(module) || !draft.has(`server/modules/${module}`)) {
    throw new Misuse(
      `Name the module whose queries use the table: --module scans. It is a folder of server/modules; create it first if it is new.`,
    );
  }
  const migration = `prisma/migrations/${timestamp(now)}_${name}/migration.sql`;
  const test = `server/modules/${module}/${name.replaceAll('_', '-')}.test.ts`;
  draft.insert(SCHEMA, modelText(model, name), { before: /^model Tenant \{/m });
  draft.create(migration, migrationText(name));
  draft.insert(GRANTS, `  ${name}: 'SELECT, INSERT, UPDATE, DELETE',\n`, {
    after: /const APP_TABLES[\s\S]*?\n(?=\};)/,
  });
  draft.insert(WALLS, `  '${name}',\n`, { before: rowAfter(draft.read(WALLS), name) });
  draft.insert(RIGHTS, `      'public.${name}': 'SELECT INSERT UPDATE DELETE',\n`, {
    after: /describe\('the serving role'[\s\S]*?'public\._prisma_migrations': 'SELECT',\n/,
  });
  draft.create(test, testText(camel(singular(name)), name));
  return [
    `${SCHEMA}: what a row is, and its columns. tenant_id comes first in every key and index.`,
    `${migration}: the same columns and indexes.`,
    `${GRANTS}: only the rights that the API needs, and in WORKER_TABLES those of workers; ${RIGHTS} lists the same.`,
    'Run npm run db:client and npm run generate.',
    `${test}: a row with its columns. Run npx vitest run ${test} ${WALLS} ${RIGHTS}`,
    'Add a line to CHANGELOG.md, and run npm run check.',
  ];
}

function timestamp(now: Date): string {
  return now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

function modelText(model: string, name: string): string {
  return `/// ${FILL_IN}: what a row is.
model ${model} {
  tenantId  String   @map("tenant_id") @db.Uuid
  id        String   @db.Uuid
  createdAt DateTime @map("created_at") @db.Timestamptz(3)

  @@id([tenantId, id])
  @@map("${name}")
  @@schema("public")
}

`;
}

function migrationText(name: string): string {
  return `-- ${FILL_IN}: what a row is, and further columns.

-- CreateTable
CREATE TABLE "${name}" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "${name}_pkey" PRIMARY KEY ("tenant_id","id")
);

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.${name} ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.${name} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.${name} FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
`;
}

function rowAfter(text: string, name: string): RegExp {
  const list = /const TENANT_TABLES = \[\n([\s\S]*?)\n\];/.exec(text)?.[1] ?? '';
  const rows = [...list.matchAll(/'(\w+)'/g)].map(([, row = '']) => row);
  const next = rows.find((row) => row > name);
  return next === undefined ? /^\];/m : new RegExp(`^ {2}'${next}',$`, 'm');
}

function testText(model: string, name: string): string {
  return `import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe('${name}', () => {
  it('are visible to their tenant only', async () => {
    const [mine, other] = [await server.people.user(), await server.people.user()];
    const createdAt = server.clock.now();
    await server.services.tenants.write(mine.tenant.id, (db) =>
      db.prisma.${model}.create({ data: { tenantId: db.tenantId, id: newId(), createdAt } }),
    );
    const seenBy = (tenant: string) =>
      server.services.tenants.read(tenant, (db) => db.prisma.${model}.findMany());
    expect(await seenBy(other.tenant.id)).toEqual([]);
    // ${FILL_IN}: the columns of the row.
    expect(await seenBy(mine.tenant.id)).toEqual([{ fillIn: '${FILL_IN}' }]);
  });
});
`;
}
