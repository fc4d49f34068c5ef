import { RULES } from '../../../../scanner/rules/catalogue.ts';
import type { Finding, FindingPage } from './finding-schemas.ts';
import { lastingMutes, type Mutable, type StoredMute } from './mutes.ts';

const rules = new Map(RULES.map((rule) => [rule.id, rule]));

/** The ids that are not of built-in rules. */
export function customRuleIds(findings: readonly { readonly ruleId: string }[]): string[] {
  return [...new Set(findings.map(({ ruleId }) => ruleId))].filter((id) => !rules.has(id));
}

/** A finding as an ORM returns it. */
export interface StoredFinding extends Mutable {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  readonly status: string;
  readonly delta: string;
  readonly assetType: string;
  readonly subject: string;
  readonly message: string;
  readonly evidence: unknown;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolvedReason: string | null;
}

/** What a page of findings shows of other tables. */
export interface Beside {
  /** By the id of the project. */
  readonly projects: ReadonlyMap<string, string>;
  /** The recommendations of custom rules, by the id of the rule. */
  readonly recommendations: ReadonlyMap<string, string>;
  /** Those in force, the last to end first. */
  readonly mutes: readonly StoredMute[];
}

/** @param rows one more than the page holds, if there are more */
export function findingPage(
  rows: readonly StoredFinding[],
  limit: number,
  { projects, recommendations, mutes }: Beside,
): FindingPage {
  const muteOf = lastingMutes(mutes);
  const items = rows.slice(0, limit).map((row) => {
    const rule = rules.get(row.ruleId);
    const mute = muteOf(row);
    return {
      id: row.id,
      fingerprint: Buffer.from(row.fingerprint).toString('hex'),
      ruleId: row.ruleId,
      title: row.title,
      // The service itself wrote these values.
      severity: row.severity as Finding['severity'],
      status: row.status as Finding['status'],
      delta: row.delta as Finding['delta'],
      project: projects.get(row.projectId) ?? '',
      asset: { name: row.assetName, type: row.assetType },
      subject: row.subject,
      message: row.message,
      evidence: row.evidence as Finding['evidence'],
      remediation: rule?.remediation ?? recommendations.get(row.ruleId) ?? '',
      compliance: [...(rule?.compliance ?? [])],
      firstSeenAt: row.firstSeenAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      resolvedAt: row.resolvedAt?.toISOString() ?? null,
      resolvedReason: row.resolvedReason as Finding['resolvedReason'],
      muted: mute && { reason: mute.reason, expiresAt: mute.expiresAt.toISOString() },
    };
  });
  const last = rows.length > limit ? items.at(-1) : undefined;
  return {
    items,
    nextCursor: last === undefined ? null : Buffer.from(last.id).toString('base64url'),
  };
}
