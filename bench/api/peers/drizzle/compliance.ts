import { and, eq } from 'drizzle-orm';
import { complianceOf } from '../service/compliance.ts';
import type { ComplianceQuery, ComplianceReport } from '../service/compliance-schemas.ts';
import { inTenant } from './client.ts';
import { rulesets, scanRuleCounts, scans } from './tables.ts';

/** Null: the tenant has no such scan. */
export async function scanCompliance(
  tenantId: string,
  id: string,
  query: ComplianceQuery,
): Promise<ComplianceReport | null> {
  return inTenant(tenantId, async (tx) => {
    const [scan] = await tx
      .select({ rules: rulesets.rules })
      .from(scans)
      .leftJoin(
        rulesets,
        and(eq(rulesets.tenantId, scans.tenantId), eq(rulesets.digest, scans.profileDigest)),
      )
      .where(and(eq(scans.tenantId, tenantId), eq(scans.id, id)));
    if (scan === undefined) return null;
    const counts = await tx
      .select()
      .from(scanRuleCounts)
      .where(and(eq(scanRuleCounts.tenantId, tenantId), eq(scanRuleCounts.scanId, id)));
    return complianceOf(id, query, scan.rules, counts);
  });
}
