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
  return digestOf(of, 'hex');
}

/** The length of a fingerprint in bytes. */
export const FINGERPRINT_BYTES = 32;

/** A fingerprint as a string of its bytes (Node's encoding `binary`), which sorts like hex digits in half the memory. */
export function binaryFingerprint(of: FindingIdentity): string {
  return digestOf(of, 'binary');
}

function digestOf(of: FindingIdentity, encoding: 'hex' | 'binary'): string {
  const parts = [of.tenantId, of.projectId, of.ruleId, of.assetName, of.subject];
  return hash('sha256', JSON.stringify(parts), encoding);
}
