import {
  and,
  count,
  eq,
  exists,
  getTableColumns,
  gt,
  isNull,
  like,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { FindingSummary } from '../service/finding-schemas.ts';
import { summaryOf } from '../service/finding-summary.ts';
import { inTenant, type Transaction } from './client.ts';
import { customRules, findings, mutes } from './finding-tables.ts';
import { projects } from './tables.ts';

export async function summariseFindings(tenantId: string): Promise<FindingSummary> {
  return inTenant(tenantId, async (tx) => {
    const ofTenant = eq(findings.tenantId, tenantId);
    const all = await groups(tx, ofTenant);
    const muted = await groups(tx, and(ofTenant, exists(mutesOfFinding(tx))));
    const own = await tx
      .select({ id: customRules.id })
      .from(customRules)
      .where(eq(customRules.tenantId, tenantId));
    return summaryOf(
      all,
      muted,
      own.map(({ id }) => id),
    );
  });
}

const { ruleId, severity, status, assetType, delta } = getTableColumns(findings);
const VALUES = { project: projects.name, ruleId, severity, status, assetType, delta };

function groups(tx: Transaction, condition: SQL | undefined) {
  return tx
    .select({ ...VALUES, count: count() })
    .from(findings)
    .innerJoin(
      projects,
      and(eq(projects.tenantId, findings.tenantId), eq(projects.id, findings.projectId)),
    )
    .where(condition)
    .groupBy(...Object.values(VALUES));
}

function mutesOfFinding(tx: Transaction) {
  const label = sql`${findings.assetLabels} ->> ${mutes.labelKey}`;
  return tx
    .select({ id: mutes.id })
    .from(mutes)
    .where(
      and(
        eq(mutes.tenantId, findings.tenantId),
        gt(mutes.expiresAt, new Date()),
        or(isNull(mutes.fingerprint), eq(mutes.fingerprint, findings.fingerprint)),
        or(isNull(mutes.ruleId), eq(mutes.ruleId, findings.ruleId)),
        or(isNull(mutes.projectId), eq(mutes.projectId, findings.projectId)),
        or(isNull(mutes.assetPattern), like(findings.assetName, mutes.assetPattern)),
        or(
          isNull(mutes.labelKey),
          and(
            sql`${findings.assetLabels} ? ${mutes.labelKey}`,
            or(isNull(mutes.labelValue), eq(label, mutes.labelValue)),
          ),
        ),
      ),
    );
}
