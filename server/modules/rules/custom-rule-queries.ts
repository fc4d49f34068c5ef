import type { ContentKind, CustomRuleDefinition, CustomRuleTest, Severity } from '@cspm/scanner';
import type { Moment } from '../../platform/cursor.ts';
import type { CustomRule, Prisma } from '../../platform/database/generated/client.ts';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** A custom rule of a tenant, without its tests: those of one rule can have 1 MiB. */
export interface CustomRuleRow extends CustomRuleDefinition {
  readonly needs: readonly ContentKind[];
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TestedRuleRow extends CustomRuleRow {
  readonly tests: readonly CustomRuleTest[];
}

/** The columns that the server writes; the database sets the others. */
export type CustomRuleValues = Omit<TestedRuleRow, 'version' | 'createdAt' | 'updatedAt'>;

export const CUSTOM_RULES_MAX = 100;

const SELECT = {
  id: true,
  version: true,
  title: true,
  description: true,
  severity: true,
  assetTypes: true,
  predicate: true,
  recommendation: true,
  needs: true,
  enabled: true,
  createdAt: true,
  updatedAt: true,
} as const;

const SELECT_TESTED = { ...SELECT, tests: true } as const;

type SelectedRule = Pick<CustomRule, keyof typeof SELECT>;

/** Lists all custom rules ordered by id; their number is limited. */
export async function listCustomRules(db: TenantConnection): Promise<CustomRuleRow[]> {
  const where = { tenantId: db.tenantId };
  const rows = await db.prisma.customRule.findMany({ where, select: SELECT });
  // Sort here, because the database's order depends on its collation.
  return rows.map(ruleFrom).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The size of the tests that a page holds. Parsing and serializing them blocks the event loop for about 30 ms/MiB. */
const PAGE_BYTES = 1024 * 1024;

/**
 * Lists custom rules with their tests, newest first. A page ends early when the tests of its rules exceed 1 MiB, but has
 * at least one rule.
 */
export async function pageOfCustomRules(
  db: TenantConnection,
  page: { readonly after: Moment | null; readonly limit: number },
): Promise<{ readonly rules: TestedRuleRow[]; readonly more: boolean }> {
  const { after, limit } = page;
  const values = [db.tenantId, after?.at ?? null, after?.id ?? null, limit, PAGE_BYTES];
  const rows = await db.sql<PageRow>(PAGE, values);
  const rules = rows.flatMap(({ tests, ...row }) =>
    tests === null ? [] : [{ ...ruleFrom(row), tests: testsFrom(tests) }],
  );
  return { rules, more: rules.length < rows.length };
}

export function countCustomRules(db: TenantConnection): Promise<number> {
  return db.prisma.customRule.count({ where: { tenantId: db.tenantId } });
}

export async function findCustomRule(
  db: TenantConnection,
  id: string,
): Promise<CustomRuleRow | null> {
  const where = { tenantId: db.tenantId, id };
  const row = await db.prisma.customRule.findFirst({ where, select: SELECT });
  return row === null ? null : ruleFrom(row);
}

/** @returns null when the id already exists. */
export async function insertCustomRule(
  db: TenantConnection,
  rule: CustomRuleValues,
  now: Date,
): Promise<TestedRuleRow | null> {
  const times = { createdAt: now, updatedAt: now };
  const [row] = await db.prisma.customRule.createManyAndReturn({
    data: { tenantId: db.tenantId, ...dataOf(rule), version: 1, ...times },
    select: SELECT_TESTED,
    skipDuplicates: true,
  });
  return row === undefined ? null : { ...ruleFrom(row), tests: testsFrom(row.tests) };
}

/** @returns null when there is no such rule. */
export async function updateCustomRule(
  db: TenantConnection,
  rule: CustomRuleValues,
  now: Date,
): Promise<TestedRuleRow | null> {
  const [row] = await db.sql<{ version: number; created_at: Date }>(UPDATE, [
    db.tenantId,
    rule.id,
    rule.title,
    rule.description,
    rule.severity,
    rule.assetTypes,
    rule.predicate,
    rule.recommendation,
    rule.needs,
    rule.enabled,
    JSON.stringify(rule.tests),
    now,
  ]);
  if (row === undefined) return null;
  return { ...rule, version: row.version, createdAt: row.created_at, updatedAt: now };
}

/** @returns whether the rule existed. */
export async function deleteCustomRule(db: TenantConnection, id: string): Promise<boolean> {
  const { count } = await db.prisma.customRule.deleteMany({ where: { tenantId: db.tenantId, id } });
  return count > 0;
}

function dataOf(rule: CustomRuleValues) {
  return {
    id: rule.id,
    title: rule.title,
    description: rule.description,
    severity: rule.severity,
    assetTypes: [...rule.assetTypes],
    predicate: rule.predicate,
    recommendation: rule.recommendation,
    needs: [...rule.needs],
    enabled: rule.enabled,
    tests: rule.tests as unknown as Prisma.InputJsonArray,
  };
}

function ruleFrom(row: SelectedRule): CustomRuleRow {
  return {
    ...row,
    // Only `dataOf` and `updateCustomRule` write it, so the cast is safe.
    severity: row.severity as Severity,
    needs: row.needs as ContentKind[],
  };
}

/** Only `dataOf` and `updateCustomRule` write them, so the cast is safe. */
function testsFrom(tests: unknown): readonly CustomRuleTest[] {
  return tests as readonly CustomRuleTest[];
}

interface PageRow {
  id: string;
  version: number;
  title: string;
  description: string;
  severity: string;
  assetTypes: string[];
  predicate: string;
  recommendation: string;
  needs: string[];
  enabled: boolean;
  /** Null: the rule belongs to the next page. */
  tests: unknown;
  createdAt: Date;
  updatedAt: Date;
}

/** Goes from rule to rule and stops at the first one that does not fit, so it reads the tests of one page only. */
const PAGE: Statement = {
  name: 'custom-rule-page',
  reason: 'set',
  text: `
    WITH RECURSIVE listed AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY created_at DESC, id COLLATE "C" DESC) AS position
      FROM custom_rules
      WHERE tenant_id = $1
        AND ($2::timestamptz IS NULL OR (created_at, id COLLATE "C") < ($2::timestamptz, $3::text))
    ), page AS (
      SELECT NULL::text AS id, 0::bigint AS position, 0::bigint AS bytes
      UNION ALL
      SELECT r.id, l.position, p.bytes + octet_length(r.tests::text)
      FROM page p
      JOIN listed l ON l.position = p.position + 1
      JOIN custom_rules r ON r.tenant_id = $1 AND r.id = l.id
      WHERE p.position <= $4::int AND (p.position <= 1 OR p.bytes <= $5::int)
    )
    SELECT r.id, r.version, r.title, r.description, r.severity, r.asset_types AS "assetTypes", r.predicate,
      r.recommendation, r.needs, r.enabled,
      CASE WHEN p.position = 1 OR (p.position <= $4::int AND p.bytes <= $5::int) THEN r.tests END AS tests,
      r.created_at AS "createdAt", r.updated_at AS "updatedAt"
    FROM page p
    JOIN custom_rules r ON r.tenant_id = $1 AND r.id = p.id
    ORDER BY p.position`,
};

/**
 * Increments the version only for changes that affect scans, so not for tests or `enabled`. Hand-written: it compares
 * the row with the new values in one statement; Prisma would need two and a lock.
 */
const UPDATE: Statement = {
  name: 'custom-rule-update',
  reason: 'set',
  text: `
    UPDATE custom_rules SET
      version = version + CASE
        WHEN (title, description, severity, asset_types, predicate, recommendation)
             IS DISTINCT FROM ($3::text, $4::text, $5::text, $6::text[], $7::text, $8::text)
        THEN 1 ELSE 0 END,
      title = $3, description = $4, severity = $5, asset_types = $6, predicate = $7, recommendation = $8,
      needs = $9, enabled = $10, tests = $11, updated_at = $12
    WHERE tenant_id = $1 AND id = $2
    RETURNING version, created_at`,
};
