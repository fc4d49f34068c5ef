import type { Fix } from '../fixes/repair.ts';
import type { ExportedFinding } from './exported-finding.ts';
import { LEVELS } from './sarif-rule.ts';
import { messageText, uriOf } from './sarif-text.ts';

/** The state in the run of the finding's scan: a finding that was resolved before is new again. */
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
        // The first line, because an asset has no lines: GitHub shows no alert without a region.
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
    // GitHub identifies an alert by this value; otherwise it would compute one from the lines of a file.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1` },
    baselineState: BASELINE_STATES[delta],
    suppressions: suppressionsOf(finding),
    ...(finding.fix !== undefined && { fixes: [fixOf(finding.fix, asset.name)] }),
    properties: propertiesOf(finding),
  };
}

/**
 * A fix (§3.55). SARIF knows changes of files only, and an asset is none: the change creates a file with the JSON Patch
 * beside it.
 */
function fixOf({ patch, gcloud, terraform, caution }: Fix, assetName: string) {
  const text = `${JSON.stringify(patch, null, 2)}\n`;
  return {
    description: { text: messageText(caution === null ? gcloud : `${gcloud}\n\n${caution}`) },
    artifactChanges: [
      {
        artifactLocation: { uri: `${uriOf(assetName)}.patch.json` },
        replacements: [
          { deletedRegion: { charOffset: 0, charLength: 0 }, insertedContent: { text } },
        ],
      },
    ],
    properties: { patch, gcloud, terraform, caution },
  };
}

/** An empty list means that the result is not suppressed; an absent one means unknown (§3.27.23). */
function suppressionsOf({ muted }: ExportedFinding) {
  if (muted === null) return [];
  const { reason, expiresAt } = muted;
  return [
    { kind: 'external', status: 'accepted', justification: reason, properties: { expiresAt } },
  ];
}

/** Data without a place in SARIF. */
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
