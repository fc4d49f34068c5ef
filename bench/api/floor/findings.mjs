import { RULES } from '../../../scanner/rules/catalogue.ts';
import { inTenant } from './client.mjs';
import { PAGE_SIZE, pageOf } from './page.mjs';
import { STATEMENTS } from './statements.mjs';

const { name, text } = STATEMENTS.findings;
const AFTER_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const rules = new Map(RULES.map((rule) => [rule.id, rule]));

export async function listFindings({ tenant_id: tenantId }) {
  const values = [tenantId, new Date(), AFTER_ALL_IDS, PAGE_SIZE + 1];
  const { rows } = await inTenant(tenantId, (client) => client.query({ name, text, values }));
  return { status: 200, body: pageOf(rows, findingOf) };
}

function findingOf(row) {
  const rule = rules.get(row.rule_id);
  return {
    id: row.id,
    fingerprint: row.fingerprint.toString('hex'),
    ruleId: row.rule_id,
    title: row.title,
    severity: row.severity,
    status: row.status,
    delta: row.delta,
    project: row.project,
    asset: { name: row.asset_name, type: row.asset_type },
    subject: row.subject,
    message: row.message,
    evidence: row.evidence,
    remediation: rule?.remediation ?? row.recommendation ?? '',
    compliance: rule?.compliance ?? [],
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    resolvedAt: row.resolved_at,
    resolvedReason: row.resolved_reason,
    muted:
      row.mute_reason === null ? null : { reason: row.mute_reason, expiresAt: row.mute_expires_at },
  };
}
