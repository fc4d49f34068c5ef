import { randomBytes } from 'node:crypto';
import { newId } from '../../server/platform/ids.ts';
import type { TestDatabase } from './database.ts';
import { rowsOf } from './owner-queries.ts';

/** The relevant members of a finding; the others are filled in. */
export interface Planted {
  readonly fingerprint?: string;
  readonly ruleId?: string;
  readonly severity?: string;
  readonly title?: string;
  readonly asset?: string;
  readonly assetType?: string;
  /** RFC 3339. */
  readonly firstSeenAt?: string;
  readonly lastSeenAt?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly subject?: string;
  readonly message?: string;
  readonly evidence?: readonly { readonly path: string; readonly value: unknown }[];
  readonly status?: 'open' | 'resolved';
  readonly delta?: string;
  readonly resolvedReason?: string;
}

/**
 * Inserts any number of findings as the owner of the table, because only workers may write findings.
 * @returns their ids, in the order of the list, which is also the order of time.
 */
export async function plantFindings(
  database: TestDatabase,
  tenantId: string,
  projectId: string,
  planted: readonly Planted[],
): Promise<string[]> {
  const at = '2026-11-01T08:00:00.000Z';
  const rows = planted.map((finding) => {
    const { status = 'open', evidence = [], labels = {} } = finding;
    const resolved = status === 'resolved';
    return {
      tenant_id: tenantId,
      id: newId(),
      project_id: projectId,
      fingerprint: `\\x${finding.fingerprint ?? randomBytes(32).toString('hex')}`,
      rule_id: finding.ruleId ?? 'bucket-public',
      severity: finding.severity ?? 'high',
      title: finding.title ?? 'Bucket is public',
      asset_name: finding.asset ?? '//storage.googleapis.com/b',
      asset_type: finding.assetType ?? 'storage.googleapis.com/Bucket',
      asset_labels: labels,
      subject: finding.subject ?? '',
      message: finding.message ?? 'Anybody can read it.',
      evidence,
      status,
      delta: finding.delta ?? (resolved ? 'resolved' : 'new'),
      first_seen_at: finding.firstSeenAt ?? at,
      last_seen_at: finding.lastSeenAt ?? at,
      resolved_at: resolved ? at : null,
      resolved_reason: resolved ? (finding.resolvedReason ?? 'fixed') : null,
      last_scan_id: newId(),
      observed_decided: false,
    };
  });
  await rowsOf(
    database,
    tenantId,
    'INSERT INTO findings SELECT * FROM json_populate_recordset(NULL::findings, $1)',
    [JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

/** Records that a scan found the planted findings of a rule for the first time. */
export async function recordAsNew(
  database: TestDatabase,
  tenantId: string,
  scanId: string,
  ruleId: string,
): Promise<void> {
  await rowsOf(
    database,
    tenantId,
    `INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
     SELECT f.tenant_id, s.id, f.id, 'new', s.created_at FROM scans s CROSS JOIN findings f
     WHERE s.id = $1 AND f.rule_id = $2`,
    [scanId, ruleId],
  );
}
