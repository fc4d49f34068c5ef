import type { ContentKind, CustomRuleDefinition, CustomRuleTest, Severity } from '@cspm/scanner';
import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';

/** A rule that a tenant has written. */
export interface CustomRuleRow extends CustomRuleDefinition {
  readonly needs: readonly ContentKind[];
  readonly enabled: boolean;
  readonly tests: readonly CustomRuleTest[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What is written of it; the rest is the database's to know. */
export type CustomRuleValues = Omit<CustomRuleRow, 'version' | 'createdAt' | 'updatedAt'>;

export const CUSTOM_RULES_MAX = 100;

interface CustomRuleColumns extends Row {
  id: string;
  version: number;
  title: string;
  description: string;
  severity: Severity;
  asset_types: string[];
  predicate: string;
  recommendation: string;
  needs: ContentKind[];
  enabled: boolean;
  tests: CustomRuleTest[];
  created_at: Date;
  updated_at: Date;
}

/** All of them, in the order of their ids: there are never many. */
export async function listCustomRules(db: TenantConnection): Promise<CustomRuleRow[]> {
  return (await db.sql<CustomRuleColumns>(LIST, [db.tenantId])).map(fromColumns);
}

export async function findCustomRule(
  db: TenantConnection,
  id: string,
): Promise<CustomRuleRow | null> {
  const [row] = await db.sql<CustomRuleColumns>(FIND, [db.tenantId, id]);
  return row === undefined ? null : fromColumns(row);
}

/** @returns null when the id is taken. */
export async function insertCustomRule(
  db: TenantConnection,
  rule: CustomRuleValues,
  now: Date,
): Promise<CustomRuleRow | null> {
  const [row] = await db.sql<CustomRuleColumns>(INSERT, valuesOf(db, rule, now));
  return row === undefined ? null : fromColumns(row);
}

/** @returns null when there is no such rule. */
export async function updateCustomRule(
  db: TenantConnection,
  rule: CustomRuleValues,
  now: Date,
): Promise<CustomRuleRow | null> {
  const [row] = await db.sql<CustomRuleColumns>(UPDATE, valuesOf(db, rule, now));
  return row === undefined ? null : fromColumns(row);
}

/** @returns whether it was there. */
export async function deleteCustomRule(db: TenantConnection, id: string): Promise<boolean> {
  return (await db.sql(DELETE, [db.tenantId, id])).length > 0;
}

function valuesOf(db: TenantConnection, rule: CustomRuleValues, now: Date): unknown[] {
  return [
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
  ];
}

function fromColumns(row: CustomRuleColumns): CustomRuleRow {
  const { asset_types: assetTypes, created_at: createdAt, updated_at: updatedAt, ...rest } = row;
  return { ...rest, assetTypes, createdAt, updatedAt };
}

const COLUMNS = `id, version, title, description, severity, asset_types, predicate, recommendation,
  needs, enabled, tests, created_at, updated_at`;

const LIST: Statement = {
  name: 'custom-rules-list',
  text: `SELECT ${COLUMNS} FROM custom_rules WHERE tenant_id = $1 ORDER BY id COLLATE "C"`,
};

const FIND: Statement = {
  name: 'custom-rule-find',
  text: `SELECT ${COLUMNS} FROM custom_rules WHERE tenant_id = $1 AND id = $2`,
};

const INSERT: Statement = {
  name: 'custom-rule-insert',
  text: `
    INSERT INTO custom_rules (tenant_id, id, version, title, description, severity, asset_types, predicate,
                              recommendation, needs, enabled, tests, created_at, updated_at)
    VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
    ON CONFLICT (tenant_id, id) DO NOTHING
    RETURNING ${COLUMNS}`,
};

/** The version counts what a scan would notice: not the tests, nor the switch. */
const UPDATE: Statement = {
  name: 'custom-rule-update',
  text: `
    UPDATE custom_rules SET
      version = version + CASE
        WHEN (title, description, severity, asset_types, predicate, recommendation)
             IS DISTINCT FROM ($3::text, $4::text, $5::text, $6::text[], $7::text, $8::text)
        THEN 1 ELSE 0 END,
      title = $3, description = $4, severity = $5, asset_types = $6, predicate = $7, recommendation = $8,
      needs = $9, enabled = $10, tests = $11, updated_at = $12
    WHERE tenant_id = $1 AND id = $2
    RETURNING ${COLUMNS}`,
};

const DELETE: Statement = {
  name: 'custom-rule-delete',
  text: 'DELETE FROM custom_rules WHERE tenant_id = $1 AND id = $2 RETURNING id',
};
