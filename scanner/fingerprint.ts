import { hash } from 'node:crypto';

/** The identity of a finding. It excludes the message, the severity, the scan and the rule's version. */
export interface FindingIdentity {
  readonly tenantId: string;
  readonly projectId: string;
  readonly ruleId: string;
  /** The full resource name, as in the export. */
  readonly assetName: string;
  readonly subject: string;
}

/**
 * The identity of a finding over time: SHA-256 in 64 lower-case hex digits. The parts are encoded as a JSON array, so
 * different parts never produce the same input, unlike a concatenation with separators.
 */
export function fingerprint(of: FindingIdentity): string {
  const parts = [of.tenantId, of.projectId, of.ruleId, of.assetName, of.subject];
  return hash('sha256', JSON.stringify(parts), 'hex');
}
