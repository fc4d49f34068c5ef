import { FINGERPRINT_BYTES } from '@cspm/scanner';
import { BinaryArrayWriter } from '../../platform/database/binary-array.ts';
import { ID_BYTES, writeNewId } from '../../platform/ids.ts';
import type { PackedFindings, SeenFinding } from '../findings/index.ts';

/** A finding before it is packed, which gives it an id. */
export interface FoundFinding extends Omit<SeenFinding, 'id' | 'fingerprint'> {
  /** A string of bytes; see `binaryFingerprint`. */
  readonly fingerprint: string;
}

/** Limits of one pack, which is one message and one statement. */
const FINDINGS_A_PACK = 3_000;
/** In UTF-16 code units. */
const TEXT_A_PACK = 2 * 1024 * 1024;

/**
 * Packs findings in their order, so that the serving thread passes on a few buffers instead of building parameters from
 * every finding. Ids ascend in that order. A single finding may exceed the limit of text.
 */
export class FindingPacker {
  readonly #arrays = new BinaryArrayWriter();

  /** Each pack is valid until the next one, which uses the same memory. */
  *packs(findings: readonly FoundFinding[]): Generator<PackedFindings, void, undefined> {
    for (let from = 0; from < findings.length; ) {
      const to = endOfPack(findings, from);
      yield this.#pack(findings.slice(from, to));
      from = to;
    }
  }

  #pack(findings: readonly FoundFinding[]): PackedFindings {
    const arrays = this.#arrays;
    arrays.reset();
    return {
      id: arrays.fixed('uuid', ID_BYTES, findings, (_, bytes, at) => writeNewId(bytes, at)),
      fingerprint: arrays.fixed('bytea', FINGERPRINT_BYTES, findings, (finding, bytes, at) =>
        bytes.write(finding.fingerprint, at, 'binary'),
      ),
      rule_id: arrays.texts(findings, (finding) => finding.rule_id),
      severity: arrays.texts(findings, (finding) => finding.severity),
      title: arrays.texts(findings, (finding) => finding.title),
      asset_name: arrays.texts(findings, (finding) => finding.asset_name),
      asset_type: arrays.texts(findings, (finding) => finding.asset_type),
      subject: arrays.texts(findings, (finding) => finding.subject),
      message: arrays.texts(findings, (finding) => finding.message),
      evidence: arrays.texts(findings, (finding) => finding.evidence),
      asset_labels: arrays.texts(findings, (finding) => finding.asset_labels),
    };
  }
}

function endOfPack(findings: readonly FoundFinding[], from: number): number {
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
