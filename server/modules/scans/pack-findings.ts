import { binaryArray } from '../../platform/database/binary-array.ts';
import type { PackedFindings, SeenFinding } from '../findings/index.ts';

/** Limits of one pack, which is one message and one statement. */
const FINDINGS_A_PACK = 3_000;
/** In UTF-16 code units. */
const TEXT_A_PACK = 2 * 1024 * 1024;

/**
 * Packs findings in their order, so that the serving thread passes on a few buffers instead of building parameters from
 * every finding. A single finding may exceed the limit of text.
 */
export function* packFindings(findings: readonly SeenFinding[]): Generator<PackedFindings> {
  for (let from = 0; from < findings.length; ) {
    const to = endOfPack(findings, from);
    yield packed(findings.slice(from, to));
    from = to;
  }
}

function endOfPack(findings: readonly SeenFinding[], from: number): number {
  let length = 0;
  let to = from;
  for (const { subject, message, evidence, asset_labels: labels } of findings.slice(
    from,
    from + FINDINGS_A_PACK,
  )) {
    length += subject.length + message.length + evidence.length + labels.length;
    if (to > from && length > TEXT_A_PACK) break;
    to += 1;
  }
  return to;
}

function packed(findings: readonly SeenFinding[]): PackedFindings {
  const column = (name: keyof SeenFinding) => findings.map((finding) => finding[name]);
  const text = (name: keyof SeenFinding) => binaryArray('text', column(name));
  return {
    id: binaryArray('uuid', column('id')),
    fingerprint: binaryArray('bytea', column('fingerprint')),
    rule_id: text('rule_id'),
    severity: text('severity'),
    title: text('title'),
    asset_name: text('asset_name'),
    asset_type: text('asset_type'),
    subject: text('subject'),
    message: text('message'),
    evidence: text('evidence'),
    asset_labels: text('asset_labels'),
  };
}
