import { CONTENT_KINDS, type ContentKind, MEMBERS_OF_KIND } from './envelope.ts';
import { instantOf } from './instant.ts';
import { eachMember } from './object-members.ts';
import type { InventoryRecord } from './record.ts';

export interface MergeWarning {
  /** The line of the record. */
  readonly line: number;
  readonly message: string;
}

export interface Merged {
  /** One record, in JSON on one line, with everything that is used of the given ones. */
  readonly text: string;
  readonly warnings: readonly MergeWarning[];
}

/** The part of a record that merging needs. */
export type Mergeable = Pick<InventoryRecord, 'line' | 'kinds' | 'updateTime' | 'text'>;

/**
 * Merges all records of one asset, that is of one name and type: the kinds of content are exported in separate runs and
 * arrive as separate records. Of two records of one kind, the newer update time wins; if a time is missing or they are
 * equal, the later line wins. The same applies to ancestors and other members. The order of the argument does not matter.
 * A single record's text is returned unchanged.
 */
export function mergeRecords(records: readonly Mergeable[]): Merged {
  const [only, ...others] = records;
  if (only === undefined) throw new RangeError('There is no record to merge.');
  if (others.length === 0) return { text: only.text, warnings: [] };
  const merge = new AssetMerge(records);
  for (const record of merge.inOrder) merge.take(record);
  return { text: merge.text(), warnings: merge.warnings };
}

/** Merges two or more records incrementally, and holds only what it uses of each. */
export class AssetMerge {
  /** The records in the order in which they count, the newest last: `take` each once. */
  readonly inOrder: readonly Mergeable[];
  readonly warnings: readonly MergeWarning[];
  /** The record used for each content type. */
  readonly #used = new Map<ContentKind, Mergeable>();
  /** By name, as they are written. A slice keeps the text of its record in memory. */
  readonly #members = new Map<string, string>();
  readonly #contents = new Map<string, string>();

  constructor(records: readonly Mergeable[]) {
    const byPosition = records.toSorted(byLine);
    const times: Times = new Map(records.map((one) => [one, instantOf(one.updateTime)]));
    this.inOrder = newestLast(byPosition, times);
    const warnings: MergeWarning[] = [];
    for (const kind of CONTENT_KINDS) {
      const [first, ...rest] = byPosition.filter((record) => record.kinds.includes(kind));
      if (first === undefined) continue;
      const used = rest.length === 0 ? first : latest([first, ...rest], times);
      this.#used.set(kind, used);
      for (const record of [first, ...rest]) {
        if (record !== used) warnings.push(unused(record, used, kind));
      }
    }
    this.warnings = warnings.toSorted((a, b) => a.line - b.line);
  }

  take(record: Mergeable): void {
    eachMember(record.text, (name, member) => {
      const kind = KIND_OF_MEMBER.get(name);
      if (kind === undefined) this.#keep(name, member);
      else if (this.#used.get(kind) === record) this.#contents.set(name, member);
    });
  }

  /** An export without ancestors does not mean that there are none. */
  #keep(name: string, member: string): void {
    if (name === 'ancestors' && this.#members.has(name) && EMPTY.test(member)) return;
    // The time of an older record, in the other spelling, would have precedence.
    if (name === 'updateTime') this.#members.delete('update_time');
    this.#members.set(name, member);
  }

  /** The merged record, in JSON on one line. */
  text(): string {
    const merged = [...this.#members.values()];
    for (const name of KIND_OF_MEMBER.keys()) {
      const member = this.#contents.get(name);
      if (member !== undefined) merged.push(member);
    }
    return `{${merged.join()}}`;
  }
}

/** A member whose value is null or an empty list. */
const EMPTY = /:\s*(?:null|\[\s*\])\s*$/;

const KIND_OF_MEMBER: ReadonlyMap<string, ContentKind> = new Map(
  CONTENT_KINDS.flatMap((kind) => MEMBERS_OF_KIND[kind].map((member) => [member, kind] as const)),
);

/**
 * Two records on one line come from different files; their text then decides, so the result is still independent of the
 * order.
 */
function byLine(a: Mergeable, b: Mergeable): number {
  return a.line - b.line || (a.text < b.text ? -1 : Number(a.text > b.text));
}

/** Null for a record without a time. */
type Times = ReadonlyMap<Mergeable, bigint | null>;

/** The records by their times, and those of one time as they are; all as they are if a time is missing. */
function newestLast(records: readonly Mergeable[], times: Times): readonly Mergeable[] {
  for (const time of times.values()) if (time === null) return records;
  const timeOf = (record: Mergeable) => times.get(record) ?? 0n;
  return records.toSorted((a, b) => Number(timeOf(a) - timeOf(b)));
}

/** @param records in the order of their lines */
function latest(records: readonly [Mergeable, ...Mergeable[]], times: Times): Mergeable {
  const ordered = newestLast(records, new Map(records.map((one) => [one, times.get(one) ?? null])));
  return ordered.at(-1) ?? records[0];
}

function unused(record: Mergeable, used: Mergeable, kind: ContentKind): MergeWarning {
  return {
    line: record.line,
    message: `The ${kind} content of this record is ignored: line ${used.line} describes the same asset and has precedence, by update time or, if that does not decide, by position.`,
  };
}
