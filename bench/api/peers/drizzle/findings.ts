import { and, desc, eq, getTableColumns, gt, inArray, lt } from 'drizzle-orm';
import { findingPage } from '../service/finding-page.ts';
import type { FindingPage, FindingQuery } from '../service/finding-schemas.ts';
import { lookupsOf } from '../service/mutes.ts';
import { inTenant } from './client.ts';
import { customRules, findings, mutes } from './finding-tables.ts';
import { projects } from './tables.ts';

export async function listFindings(tenantId: string, query: FindingQuery): Promise<FindingPage> {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  return inTenant(tenantId, async (tx) => {
    const rows = await tx
      .select({
        ...getTableColumns(findings),
        project: projects.name,
        recommendation: customRules.recommendation,
      })
      .from(findings)
      .innerJoin(
        projects,
        and(eq(projects.tenantId, findings.tenantId), eq(projects.id, findings.projectId)),
      )
      .leftJoin(
        customRules,
        and(eq(customRules.tenantId, findings.tenantId), eq(customRules.id, findings.ruleId)),
      )
      .where(
        and(eq(findings.tenantId, tenantId), before === null ? undefined : lt(findings.id, before)),
      )
      .orderBy(desc(findings.id))
      .limit(limit + 1);
    const muting = await tx
      .select()
      .from(mutes)
      .where(
        and(
          eq(mutes.tenantId, tenantId),
          inArray(mutes.lookup, lookupsOf(rows.slice(0, limit))),
          gt(mutes.expiresAt, new Date()),
        ),
      )
      .orderBy(desc(mutes.expiresAt), desc(mutes.id));
    return findingPage(rows, limit, {
      projects: new Map(rows.map(({ projectId, project }) => [projectId, project])),
      recommendations: new Map(rows.map((row) => [row.ruleId, row.recommendation ?? ''])),
      mutes: muting,
    });
  });
}
