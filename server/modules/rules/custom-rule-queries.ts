import type { ContentKind, CustomRuleDefinition, CustomRuleTest, Severity } from '@cspm/scanner';
import type { CustomRule, Prisma } from '../../platform/database/generated/client.ts';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** A custom rule of a tenant. */
export interface CustomRuleRow extends CustomRuleDefinition {
  readonly needs: readonly ContentKind[];
  readonly enabled: boolean;
  readonly tests: readonly CustomRuleTest[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns that the server writes; the database sets the others. */
export type CustomRuleValues = Omit<CustomRuleRow, 'version' | 'createdAt' | 'updatedAt'>;

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
  tests: true,
  createdAt: true,
  updatedAt: true,
} as const;

type SelectedRule = Pick<CustomRule, keyof typeof SELECT>;

/** Lists all custom rules ordered by id; their number is limited. */
export async function listCustomRules(db: TenantConnection): Promise<CustomRuleRow[]> {
  const where = { tenantId: db.tenantId };
  const rows = await db.prisma.customRule.findMany({ where, select: SELECT });
  // Sort here, because the database's order depends on its collation.
  return rows.map(ruleFrom).toSorted((a, b) => (a.id < b.id ? -1 : 1));
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
): Promise<CustomRuleRow | null> {
  const times = { createdAt: now, updatedAt: now };
  const [row] = await db.prisma.customRule.createManyAndReturn({
    data: { tenantId: db.tenantId, ...dataOf(rule), version: 1, ...times },
    select: SELECT,
    skipDuplicates: true,
  });
  return row === undefined ? null : ruleFrom(row);
}

/** @returns null when there is no such rule. */
export async function updateCustomRule(
  db: TenantConnection,
  rule: CustomRuleValues,
  now: Date,
): Promise<CustomRuleRow | null> {
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
    tests: row.tests as unknown as CustomRuleTest[],
  };
}

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
