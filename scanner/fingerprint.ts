import { hash } from 'node:crypto';

/** What makes two findings the same one. Not the message, the severity, the scan or the rule's version. */
export interface FindingIdentity {
  readonly tenantId: string;
  readonly projectId: string;
  readonly ruleId: string;
  /** The full resource name, as in the export. */
  readonly assetName: string;
  readonly subject: string;
}

/**
 * The identity of a finding over time: SHA-256 in 64 lower-case hex digits. The parts are encoded as a JSON array,
 * which no other five parts share, wherever the separators of a plain concatenation would fall.
 */
export function fingerprint(of: FindingIdentity): string {
  const parts = [of.tenantId, of.projectId, of.ruleId, of.assetName, of.subject];
  return hash('sha256', JSON.stringify(parts), 'hex');
}
