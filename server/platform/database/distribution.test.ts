import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';

/*
 * Checks that rows can be distributed over several databases by tenant, as Citus does: unique constraints contain the
 * tenant, and foreign keys stay within it. docs/scale.md builds on this.
 */

/** Looked up before the tenant is known; the schema `identity` would stay in one place as reference tables. */
const FOUND_WITHOUT_A_TENANT = [
  'identity.api_keys: id',
  'identity.api_keys: public_id',
  'identity.mail_tokens: hash',
  'identity.memberships: invitation_id',
  'identity.saml_connections: id',
  'identity.sessions: id',
];

/** Foreign keys from a tenant's row to rows of no tenant, or to the tenant itself. */
const REFERS_BEYOND_A_TENANT = [
  'identity.mail_tokens (user_id) to identity.users',
  'identity.memberships (tenant_id) to identity.tenants',
  'identity.memberships (user_id) to identity.users',
  'identity.roles (tenant_id) to identity.tenants',
  'identity.saml_connections (tenant_id) to identity.tenants',
  'identity.tenant_domains (tenant_id) to identity.tenants',
];

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

/** The constraints of tables that have a column tenant_id; partitions follow their parents. */
const TABLES = `
  SELECT c.oid, n.nspname || '.' || c.relname AS name
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
  WHERE n.nspname IN ('public', 'identity', 'jobs') AND c.relkind IN ('r', 'p')`;

const columnsOf = (table: string, numbers: string) => `
  ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS place(attnum, at)
        JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = place.attnum ORDER BY place.at)`;

interface Unique {
  readonly name: string;
  readonly columns: readonly string[];
}

interface Reference {
  readonly name: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly referred: readonly string[];
}

async function uniques(): Promise<Unique[]> {
  const { rows } = await database.owner.query<Unique>(
    `SELECT t.name, ${columnsOf('i.indrelid', 'i.indkey::int2[]')} AS columns
     FROM (${TABLES}) t JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique ORDER BY 1, 2`,
  );
  return rows;
}

async function references(): Promise<Reference[]> {
  const { rows } = await database.owner.query<Reference>(
    `SELECT t.name, n.nspname || '.' || c.relname AS target,
            ${columnsOf('k.conrelid', 'k.conkey')} AS columns, ${columnsOf('k.confrelid', 'k.confkey')} AS referred
     FROM (${TABLES}) t
     JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
     JOIN pg_class c ON c.oid = k.confrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace
     ORDER BY 1, 2, 3`,
  );
  return rows;
}

describe('tenants can be distributed over databases', () => {
  it('every unique index includes the tenant, except the listed ones, so tenants can be on different databases', async () => {
    const all = await uniques();
    expect(all.length).toBeGreaterThan(20);
    const global = all.filter(({ columns }) => !columns.includes('tenant_id'));
    expect(global.map(({ name, columns }) => `${name}: ${columns.join(', ')}`)).toEqual(
      FOUND_WITHOUT_A_TENANT,
    );
  });

  it('every foreign key includes the tenant, except the listed ones, so tenants can be on different databases', async () => {
    const all = await references();
    expect(all.length).toBeGreaterThan(10);
    const beyond = all.filter(
      ({ columns, referred }) =>
        !columns.some((column, at) => column === 'tenant_id' && referred[at] === 'tenant_id'),
    );
    expect(
      beyond.map(({ name, columns, target }) => `${name} (${columns.join(', ')}) to ${target}`),
    ).toEqual(REFERS_BEYOND_A_TENANT);
  });

  it('every table of the schema public has a tenant, except the table of migrations', async () => {
    const { rows } = await database.owner.query<{ relname: string }>(
      `SELECT c.relname FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')`,
    );
    expect(rows.map(({ relname }) => relname)).toEqual(['_prisma_migrations']);
  });
});
