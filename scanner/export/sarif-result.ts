import type { ExportedFinding } from './exported-finding.ts';
import { LEVELS } from './sarif-rule.ts';
import { messageText, uriOf } from './sarif-text.ts';

/** As the run sees it that the finding comes from: what was resolved before is new again. */
const BASELINE_STATES = {
  new: 'new',
  unchanged: 'unchanged',
  reopened: 'new',
  resolved: 'absent',
} as const;

/** A result (SARIF 2.1.0 §3.27). */
export function resultOf(finding: ExportedFinding, ruleIndex: number) {
  const { ruleId, severity, asset, fingerprint, delta } = finding;
  return {
    ruleId,
    ruleIndex,
    kind: 'fail',
    level: LEVELS[severity],
    message: { text: messageText(finding.message) },
    locations: [
      {
        // The first line, as there is none: without a region GitHub shows no alert.
        physicalLocation: {
          artifactLocation: { uri: uriOf(asset.name) },
          region: { startLine: 1 },
        },
        logicalLocations: [
          { name: shortNameOf(asset.name), fullyQualifiedName: asset.name, kind: 'resource' },
        ],
      },
    ],
    fingerprints: { 'cspm/v1': fingerprint },
    // The one that GitHub knows an alert again by, which it would else make from the lines of a file.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1` },
    baselineState: BASELINE_STATES[delta],
    suppressions: suppressionsOf(finding),
    properties: propertiesOf(finding),
  };
}

/** An empty list says that the result is not suppressed, its absence that nobody knows (§3.27.23). */
function suppressionsOf({ muted }: ExportedFinding) {
  if (muted === null) return [];
  const { reason, expiresAt } = muted;
  return [
    { kind: 'external', status: 'accepted', justification: reason, properties: { expiresAt } },
  ];
}

/** What SARIF has no place for. */
function propertiesOf(finding: ExportedFinding) {
  const { id, severity, status, delta, project, asset, subject, evidence, remediation } = finding;
  const { firstSeenAt, lastSeenAt, resolvedAt, resolvedReason } = finding;
  return {
    ...(id !== undefined && { id }),
    severity,
    status,
    delta,
    project,
    assetType: asset.type,
    subject,
    evidence,
    remediation,
    firstSeenAt,
    lastSeenAt,
    ...(resolvedAt !== null && { resolvedAt }),
    ...(resolvedReason !== null && { resolvedReason }),
  };
}

function shortNameOf(assetName: string): string {
  return assetName.split('/').at(-1) ?? assetName;
}
