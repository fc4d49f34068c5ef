import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';

/** Every table with tenant data. Add a new table here deliberately, so its row-level security is reviewed. */
const TENANT_TABLES = [
  'audit_events',
  'audit_labels',
  'custom_rules',
  'finding_repeats',
  'findings',
  'idempotency_records',
  'inventories',
  'inventory_assets',
  'inventory_chunks',
  'mutes',
  'notification_settings',
  'posture_days',
  'posture_totals',
  'profiles',
  'projects',
  'pull_pages',
  'pulls',
  'rulesets',
  'saved_views',
  'scan_claims',
  'scan_findings',
  'scan_projects',
  'scan_rule_counts',
  'scan_slots',
  'scan_verdicts',
  'scans',
  'schedules',
  'sources',
  'webhook_deliveries',
  'webhook_events',
  'webhooks',
];

const OWN_TENANT =
  "(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)";

const REMEDY =
  'Add to the migration of the table what is missing: ENABLE and FORCE ROW LEVEL SECURITY and the policy tenant_isolation, as in prisma/migrations/20261120122000_custom_rules/migration.sql';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

interface Wall {
  readonly table: string;
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly policies: readonly { command: string; roles: string; using: string; check: string }[];
}

/** Every table with a column tenant_id in a schema, with its row-level security. */
async function wallsIn(schema: string): Promise<Wall[]> {
  const { rows } = await database.owner.query(
    `SELECT c.relname AS table, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
            COALESCE((
              SELECT json_agg(json_build_object(
                'command', p.cmd, 'roles', p.roles, 'using', p.qual, 'check', p.with_check, 'kind', p.permissive))
              FROM pg_policies p WHERE p.schemaname = n.nspname AND p.tablename = c.relname
            ), '[]') AS policies
     FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
     ORDER BY c.relname`,
    [schema],
  );
  return rows;
}

/** Everything that is wrong with tenant isolation; empty if nothing is. */
async function gaps(): Promise<string[]> {
  const walls = await wallsIn('public');
  return walls.flatMap(({ table, enabled, forced, policies }) => {
    const [policy, ...others] = policies;
    return [
      ...(enabled ? [] : [`${table}: row-level security is off`]),
      ...(forced ? [] : [`${table}: its owner passes`]),
      ...(policy === undefined ? [`${table}: no policy`] : []),
      ...(others.length === 0
        ? []
        : [`${table}: a second policy, which may open what the first closes`]),
      ...(policy === undefined || policy.command === 'ALL'
        ? []
        : [`${table}: its policy is for ${policy.command}`]),
      ...(policy === undefined || (policy.using === OWN_TENANT && policy.check === OWN_TENANT)
        ? []
        : [`${table}: its policy is another one`]),
    ];
  });
}

describe('row-level security', () => {
  it('row-level security is enabled, forced and for all commands on every table of tenants', async () => {
    expect(
      (await wallsIn('public')).map(({ table }) => table),
      'List a new table in TENANT_TABLES in row-level-security.test.ts',
    ).toEqual(TENANT_TABLES);
    expect(await gaps(), REMEDY).toEqual([]);
  });

  it('row-level security is enabled and forced on every partition, which has no policy and is reached through its parent only', async () => {
    const partitions = await wallsIn('partitions');
    expect(partitions.length).toBeGreaterThanOrEqual(2 * 4 + 2);
    for (const wall of partitions) {
      expect(wall).toEqual({ table: wall.table, enabled: true, forced: true, policies: [] });
    }
  });

  it('the check of row-level security reports each table where it is missing', async () => {
    const { owner } = database;
    const broken: [string, string][] = [
      ['CREATE TABLE projects_2 (tenant_id uuid)', 'projects_2: row-level security is off'],
      ['ALTER TABLE projects_2 ENABLE ROW LEVEL SECURITY', 'projects_2: its owner passes'],
      ['ALTER TABLE projects_2 FORCE ROW LEVEL SECURITY', 'projects_2: no policy'],
      [
        'CREATE POLICY p ON projects_2 FOR SELECT USING (true)',
        'projects_2: its policy is for SELECT',
      ],
      [
        'CREATE POLICY q ON projects USING (true)',
        'projects: a second policy, which may open what the first closes',
      ],
      ['ALTER POLICY tenant_isolation ON scans USING (true)', 'scans: its policy is another one'],
    ];
    for (const [breakIt, gap] of broken) {
      await owner.query(breakIt);
      expect(await gaps()).toContain(gap);
    }
    expect((await wallsIn('public')).map(({ table }) => table)).not.toEqual(TENANT_TABLES);
  });
});
