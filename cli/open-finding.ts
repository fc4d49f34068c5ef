import { type ExportedFinding, type FindingDraft, fingerprint, type Rule } from '@cspm/scanner';

interface Origin {
  readonly project: string;
  readonly asset: ExportedFinding['asset'];
  readonly rule: Rule | undefined;
  readonly now: Date;
}

/** A finding of an evaluation on this machine, as exports show it. */
export function openFinding(
  { ruleId, severity, title, subject, message, evidence }: FindingDraft,
  { project, asset, rule, now }: Origin,
): ExportedFinding {
  return {
    // Without tenant and project, so that the fingerprint does not depend on the path of the file.
    fingerprint: fingerprint({
      tenantId: '',
      projectId: '',
      ruleId,
      assetName: asset.name,
      subject,
    }),
    ruleId,
    title,
    severity,
    status: 'open',
    delta: 'new',
    project,
    asset,
    subject,
    message,
    evidence,
    remediation: rule?.remediation ?? '',
    compliance: rule?.compliance ?? [],
    firstSeenAt: now.toISOString(),
    lastSeenAt: now.toISOString(),
    resolvedAt: null,
    resolvedReason: null,
    muted: null,
  };
}
