import { complianceOf } from '../service/compliance.ts';
import type { ComplianceQuery, ComplianceReport } from '../service/compliance-schemas.ts';
import { inTenant } from './client.ts';

/** Null: the tenant has no such scan. */
export async function scanCompliance(
  tenantId: string,
  id: string,
  query: ComplianceQuery,
): Promise<ComplianceReport | null> {
  return inTenant(tenantId, async (tx) => {
    const scan = await tx.scan.findUnique({
      where: { tenantId_id: { tenantId, id } },
      select: { profileDigest: true },
    });
    if (scan === null) return null;
    const ruleset = await tx.ruleset.findUnique({
      where: { tenantId_digest: { tenantId, digest: scan.profileDigest } },
      select: { rules: true },
    });
    // Of each project, because `groupBy` has no sum for the list of missing content.
    const counts = await tx.scanRuleCount.findMany({
      where: { tenantId, scanId: id },
      select: { ruleId: true, pass: true, fail: true, na: true, unknown: true, missing: true },
    });
    return complianceOf(id, query, ruleset?.rules, counts);
  });
}
