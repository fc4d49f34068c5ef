import type { Prisma } from '../../../../server/platform/database/generated/client.ts';
import { customRuleIds, findingPage } from '../service/finding-page.ts';
import type { FindingPage, FindingQuery } from '../service/finding-schemas.ts';
import { lookupsOf } from '../service/mutes.ts';
import { inTenant } from './client.ts';

/**
 * The schema has no relations from findings to projects, rules and mutes: foreign keys would be checked for each row
 * that a scan writes. So these are read by the keys of the page, as Prisma itself does for `include`.
 */
export async function listFindings(tenantId: string, query: FindingQuery): Promise<FindingPage> {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  return inTenant(tenantId, async (tx) => {
    const rows = await tx.finding.findMany({
      where: { tenantId, ...(before === null ? {} : { id: { lt: before } }) },
      select: SHOWN,
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    const page = rows.slice(0, limit);
    const projects = await tx.project.findMany({
      where: { tenantId, id: { in: [...new Set(page.map(({ projectId }) => projectId))] } },
      select: { id: true, name: true },
    });
    const custom = customRuleIds(page);
    const customRules =
      custom.length === 0
        ? []
        : await tx.customRule.findMany({
            where: { tenantId, id: { in: custom } },
            select: { id: true, recommendation: true },
          });
    const mutes = await tx.mute.findMany({
      where: { tenantId, lookup: { in: lookupsOf(page) }, expiresAt: { gt: new Date() } },
      select: MUTE,
      orderBy: [{ expiresAt: 'desc' }, { id: 'desc' }],
    });
    return findingPage(rows, limit, {
      projects: new Map(projects.map(({ id, name }) => [id, name])),
      recommendations: new Map(customRules.map((rule) => [rule.id, rule.recommendation])),
      mutes,
    });
  });
}

const SHOWN = {
  id: true,
  fingerprint: true,
  ruleId: true,
  title: true,
  severity: true,
  status: true,
  delta: true,
  projectId: true,
  assetName: true,
  assetType: true,
  assetLabels: true,
  subject: true,
  message: true,
  evidence: true,
  firstSeenAt: true,
  lastSeenAt: true,
  resolvedAt: true,
  resolvedReason: true,
} satisfies Prisma.FindingSelect;

const MUTE = {
  id: true,
  lookup: true,
  ruleId: true,
  projectId: true,
  asset: true,
  labelKey: true,
  labelValue: true,
  reason: true,
  expiresAt: true,
} satisfies Prisma.MuteSelect;
