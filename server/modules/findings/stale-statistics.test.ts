import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { matchesQuery } from './bulk-mutes.ts';
import { EXPIRING, expiringValues } from './expiring-mutes.ts';
import { type FindingSort, pageOfTenant } from './finding-page.ts';
import { groupsQuery } from './groups.ts';
import { findingsStatement } from './queries.ts';
import { summaryQuery } from './summary.ts';

const FINDINGS = 4_000;
const MUTED_EACH = 1_000;

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const { owner } = server.database;
  await owner.query('ALTER TABLE findings SET (autovacuum_enabled = false)');
  await owner.query('ALTER TABLE mutes SET (autovacuum_enabled = false)');
});

afterAll(() => server.close());

/** Every statement whose cost grows with all muted findings. */
function statements(tenantId: string, projectId: string): Record<string, Asked> {
  const now = server.clock.now();
  const list = (filter: object, sort: FindingSort = 'newest') => {
    const query = pageOfTenant(
      tenantId,
      { muted: true, ...filter },
      { sort, after: null, limit: 26, now },
    );
    return { text: findingsStatement(query).text, values: [...query.values, 26] };
  };
  const whole = (query: ReturnType<typeof summaryQuery>) => ({
    text: query.statement.text,
    values: query.values,
  });
  const groups = { after: null, limit: 100, now };
  return {
    'the list by id': list({}),
    'the list by severity': list({}, 'severity'),
    'the list of an asset type': list({ assetType: ['storage.googleapis.com/Bucket'] }),
    'the summary': whole(summaryQuery(tenantId, {}, null, now)),
    'the groups': whole(groupsQuery(tenantId, 'rule', {}, null, groups)),
    'the matches of a bulk mute': whole(matchesQuery(tenantId, { muted: true }, null, now)),
    'the expiring mutes': {
      text: EXPIRING.text,
      values: expiringValues(tenantId, [projectId], now),
    },
  };
}

async function plantFindings(tenantId: string, projectId: string): Promise<void> {
  await rowsOf(
    server.database,
    tenantId,
    `INSERT INTO findings (tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type, asset_labels,
       subject, message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id)
     SELECT $1::uuid, gen_random_uuid(), $2::uuid, sha256(n::text::bytea), 'rule-' || n % 5, 'high', 'planted', '//x/planted-' || n,
       'storage.googleapis.com/Bucket', jsonb_build_object('app', 'app-' || n), '', '', '[]', 'open', 'new', now(), now(), gen_random_uuid()
     FROM generate_series(1, $3::int) n`,
    [tenantId, projectId, FINDINGS],
  );
}

/** Mutes of single findings, and a few of each rule by pattern and by label, all of which end in five days. */
async function plantMutes(tenantId: string): Promise<void> {
  await rowsOf(
    server.database,
    tenantId,
    `INSERT INTO mutes (tenant_id, id, fingerprint, rule_id, asset, asset_pattern, label_key, label_value, lookup, reason, expires_at, created_at)
     SELECT $1::uuid, gen_random_uuid(), m.*, 'planted', $3::timestamptz + interval '5 days', $3 FROM (
       SELECT sha256(n::text::bytea), NULL, NULL, NULL, NULL, NULL, encode(sha256(n::text::bytea), 'hex')
       FROM generate_series(1, $2::int) n
       UNION ALL SELECT NULL, 'rule-' || n % 5, '*absent-' || n, '%absent-' || n, NULL, NULL, 'rule:rule-' || n % 5
       FROM generate_series(1, 20) n
       UNION ALL SELECT NULL, 'rule-' || n % 5, NULL, NULL, 'app', 'absent-' || n, 'rule:rule-' || n % 5
       FROM generate_series(1, 20) n) m`,
    [tenantId, MUTED_EACH, server.clock.now()],
  );
}

async function projectOfNewTenant() {
  const { key, tenant } = await server.people.user();
  const call = { method: 'POST', headers: key, body: { name: 'shop-prod' } };
  const { json } = await server.call('/projects', call);
  return { tenantId: tenant.id, projectId: json.id as string, key };
}

/** The rows that all parts of a plan produce, drop, or compare in vain. */
function rowsOfPlan(plan: Plan): number {
  const rows =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0);
  const below = (plan.Plans ?? []).reduce((sum, part) => sum + rowsOfPlan(part), 0);
  return plan['Actual Loops'] * rows + below;
}

const literal = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return `'${value instanceof Date ? value.toISOString() : String(value)}'`;
};

it.each(['findings and mutes', 'mutes'])(
  'statements that were planned while there were no %s read few rows for each finding when there are many',
  async (late) => {
    const { owner } = server.database;
    const { tenantId, projectId } = await projectOfNewTenant();
    const asked = Object.entries(statements(tenantId, projectId));
    await owner.query('TRUNCATE findings, mutes');
    if (late === 'mutes') {
      await plantFindings(tenantId, projectId);
      // As the worker does after a scan.
      await owner.query('ANALYZE findings');
    }
    await owner.query('SET plan_cache_mode = force_generic_plan');
    for (const [name, { text, values }] of asked) {
      await rowsOf(server.database, tenantId, `PREPARE "${name}" AS ${text}`);
      await owner.query(`EXECUTE "${name}" (${values.map(literal).join(', ')})`);
    }
    if (late !== 'mutes') await plantFindings(tenantId, projectId);
    await plantMutes(tenantId);
    const read: Record<string, number> = {};
    for (const [name, { values }] of asked) {
      const given = values.map(literal).join(', ');
      const [row] = await rowsOf(
        server.database,
        tenantId,
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE "${name}" (${given})`,
      );
      await owner.query(`DEALLOCATE "${name}"`);
      const plans = (row?.['QUERY PLAN'] ?? []) as { readonly Plan: Plan }[];
      read[name] = plans.reduce((sum, { Plan: plan }) => sum + rowsOfPlan(plan), 0);
    }
    const tooMany = Object.entries(read).filter(([, rows]) => rows > FINDINGS * 100);
    expect(tooMany).toEqual([]);
    await owner.query('RESET plan_cache_mode');
  },
);

it('a bulk mute collects the statistics of mutes when their table has grown, and not again right after', async () => {
  const { owner } = server.database;
  const { tenantId, projectId, key } = await projectOfNewTenant();
  await owner.query('TRUNCATE findings, mutes');
  await plantFindings(tenantId, projectId);
  await owner.query('ANALYZE mutes');
  const expected = async () => {
    const { rows } = await owner.query<{ count: number }>(
      "SELECT reltuples::int AS count FROM pg_class WHERE oid = 'public.mutes'::regclass",
    );
    return rows[0]?.count;
  };
  expect(await expected()).toBe(0);
  const body = { filter: { status: ['open'] }, reason: 'Known' };
  const { json } = await server.call('/mutes/bulk', { method: 'POST', headers: key, body });
  expect(json).toMatchObject({ muted: FINDINGS });
  expect(await expected()).toBe(FINDINGS);
  const again = 'SELECT jobs.analyze_grown_mutes() AS analyzed';
  expect(await rowsOf(server.database, tenantId, again)).toEqual([{ analyzed: false }]);
});
