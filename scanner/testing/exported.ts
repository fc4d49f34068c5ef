import type { ExportContext, ExportedFinding, FindingPages } from '../export/exported-finding.ts';
import { RULES } from '../rules/catalogue.ts';

/** A finding to export; omitted members are filled in. */
export function exported(said: Partial<ExportedFinding> = {}): ExportedFinding {
  return {
    id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
    fingerprint: 'ab'.repeat(32),
    ruleId: 'bucket-public',
    title: 'Bucket is public',
    severity: 'high',
    status: 'open',
    delta: 'unchanged',
    project: 'shop-prod',
    asset: {
      name: '//storage.googleapis.com/shop-uploads',
      type: 'storage.googleapis.com/Bucket',
    },
    subject: 'roles/storage.objectViewer allUsers',
    message: 'allUsers holds roles/storage.objectViewer on this bucket.',
    evidence: [{ path: 'iam_policy.bindings[0].members[0]', value: 'allUsers' }],
    remediation: 'Remove the grant.',
    compliance: [
      { framework: 'cis-gcp-4.0', id: '5.1' },
      { framework: 'cis-gcp-5.0', id: '5.1' },
    ],
    firstSeenAt: '2026-11-01T08:00:00.000Z',
    lastSeenAt: '2026-11-20T08:00:00.000Z',
    resolvedAt: null,
    resolvedReason: null,
    muted: null,
    ...said,
  };
}

export const RESOLVED = {
  status: 'resolved',
  delta: 'resolved',
  resolvedAt: '2026-11-20T09:00:00.000Z',
  resolvedReason: 'fixed',
} as const satisfies Partial<ExportedFinding>;

/** An export context with the built-in rules and links to their documentation. */
export const CONTEXT: ExportContext = {
  ruleOf: (ruleId) => RULES.find(({ id }) => id === ruleId),
  ruleUri: (ruleId) => `https://cspm.example/rules/${ruleId}`,
};

type Writer = (pages: FindingPages, context: ExportContext) => AsyncIterable<string>;

/** Collects a whole export. */
export async function written(
  write: Writer,
  findings: readonly ExportedFinding[],
  pageSize = findings.length || 1,
): Promise<string> {
  const pages = [];
  for (let at = 0; at < findings.length; at += pageSize) {
    pages.push(findings.slice(at, at + pageSize));
  }
  let text = '';
  for await (const piece of write(pages, CONTEXT)) text += piece;
  return text;
}
