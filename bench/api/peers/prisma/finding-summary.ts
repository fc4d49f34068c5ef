import type { Prisma } from '../../../../server/platform/database/generated/client.ts';
import type { FindingSummary } from '../service/finding-schemas.ts';
import { type FindingGroup, summaryOf } from '../service/finding-summary.ts';
import { inTenant } from './client.ts';

/** Counts the findings once by all their values; a `groupBy` for each facet costs several times as much. */
export async function summariseFindings(tenantId: string): Promise<FindingSummary> {
  return inTenant(tenantId, async (tx) => {
    const groups = await tx.finding.groupBy({
      by: ['projectId', 'ruleId', 'severity', 'status', 'assetType', 'delta'],
      where: { tenantId },
      _count: { _all: true },
    });
    const muted = await mutedGroups(tx, tenantId);
    const projects = await tx.project.findMany({
      where: { tenantId, id: { in: [...new Set(groups.map(({ projectId }) => projectId))] } },
      select: { id: true, name: true },
    });
    const customRules = await tx.customRule.findMany({ where: { tenantId }, select: { id: true } });
    const names = new Map(projects.map(({ id, name }) => [id, name]));
    const named = ({ projectId, ...group }: Group) => ({
      ...group,
      project: names.get(projectId) ?? '',
    });
    return summaryOf(
      groups.map(({ _count, ...group }) => named({ ...group, count: _count._all })),
      muted.map(named),
      customRules.map(({ id }) => id),
    );
  });
}

type Group = Omit<FindingGroup, 'project'> & { readonly projectId: string };

/** `$queryRaw`, because Prisma's filters compare a column neither with a column of another table nor with a pattern. */
function mutedGroups(tx: Prisma.TransactionClient, tenantId: string) {
  return tx.$queryRaw<Group[]>`
    SELECT f.project_id AS "projectId", f.rule_id AS "ruleId", f.severity, f.status,
           f.asset_type AS "assetType", f.delta, count(*)::int AS count
    FROM findings f
    WHERE f.tenant_id = ${tenantId}::uuid AND EXISTS (
      SELECT 1 FROM mutes m
      WHERE m.tenant_id = f.tenant_id AND m.expires_at > ${new Date()}
        AND (m.fingerprint IS NULL OR m.fingerprint = f.fingerprint)
        AND (m.rule_id IS NULL OR m.rule_id = f.rule_id)
        AND (m.project_id IS NULL OR m.project_id = f.project_id)
        AND (m.asset_pattern IS NULL OR f.asset_name LIKE m.asset_pattern)
        AND (m.label_key IS NULL OR f.asset_labels ? m.label_key
             AND (m.label_value IS NULL OR f.asset_labels ->> m.label_key = m.label_value)))
    GROUP BY 1, 2, 3, 4, 5, 6`;
}
