import { RULES, type Severity } from '@cspm/scanner';
import type { FindingRow } from './queries.ts';

const rules = new Map(RULES.map((rule) => [rule.id, rule]));

/**
 * Maps a finding to its contract type. Title and remediation come from the current rule, so corrections also show on
 * old findings.
 */
export function findingView(row: FindingRow) {
  const rule = rules.get(row.rule_id);
  return {
    id: row.id,
    fingerprint: row.fingerprint.toString('hex'),
    ruleId: row.rule_id,
    title: row.title,
    // The values in the database were written by this server, so the casts are safe.
    severity: row.severity as Severity,
    status: row.status as 'open' | 'resolved',
    delta: row.delta as 'new' | 'unchanged' | 'reopened' | 'resolved',
    project: row.project,
    asset: { name: row.asset_name, type: row.asset_type },
    subject: row.subject,
    message: row.message,
    evidence: row.evidence as { path: string; value: string }[],
    remediation: rule?.remediation ?? row.recommendation ?? '',
    compliance: (rule?.compliance ?? []).map((requirement) => ({ ...requirement })),
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolvedReason: row.resolved_reason as 'fixed' | 'asset_gone' | 'rule_retired' | null,
    muted: mutedBy(row),
  };
}

function mutedBy({ mute_reason: reason, mute_expires_at: expiresAt }: FindingRow) {
  return reason === null || expiresAt === null
    ? null
    : { reason, expiresAt: expiresAt.toISOString() };
}
