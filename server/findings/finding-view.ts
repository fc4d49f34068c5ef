import { RULES, type Severity } from '@cspm/scanner';
import type { FindingRow } from './finding-rows.ts';

const rules = new Map(RULES.map((rule) => [rule.id, rule]));

/** A finding as the contract shows it. What its rule says in general is looked up, so that better words reach old findings. */
export function findingView(row: FindingRow) {
  const rule = rules.get(row.ruleId);
  return {
    id: row.id,
    fingerprint: Buffer.from(row.fingerprint).toString('hex'),
    ruleId: row.ruleId,
    title: row.title,
    // The database holds what this server wrote there.
    severity: row.severity as Severity,
    status: row.status as 'open' | 'resolved',
    delta: row.delta as 'new' | 'unchanged' | 'reopened' | 'resolved',
    project: row.project.name,
    asset: { name: row.assetName, type: row.assetType },
    subject: row.subject,
    message: row.message,
    evidence: row.evidence as { path: string; value: string }[],
    remediation: rule?.remediation ?? '',
    compliance: (rule?.compliance ?? []).map((requirement) => ({ ...requirement })),
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolvedReason: row.resolvedReason as 'fixed' | 'asset_gone' | 'rule_retired' | null,
    muted: null,
  };
}
