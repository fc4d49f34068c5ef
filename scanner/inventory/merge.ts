import type { JsonObject } from '../json.ts';
import { CONTENT_KINDS, type ContentKind, MEMBERS_OF_KIND } from './envelope.ts';
import { instantOf } from './instant.ts';
import { InventoryError } from './inventory-error.ts';
import type { InventoryRecord } from './record.ts';

export interface MergeWarning {
  /** The line of the record that is not used. */
  readonly line: number;
  readonly message: string;
}

export interface Merged {
  /** One record, in JSON on one line, that says all that is used of the given ones. */
  readonly text: string;
  readonly warnings: MergeWarning[];
}

/**
 * Merges what one export says of one asset, that is of one name and type: the kinds of content are exported in
 * separate runs and arrive as separate records. Of two records of one kind the one with the newer update time is used;
 * where they do not all give one, or give the same, the one on the later line. The order of the argument is of no
 * consequence. A single record's text is returned untouched.
 *
 * @throws InventoryError `malformed` where a record is nested too deeply to be written again
 */
export function mergeRecords(records: readonly InventoryRecord[]): Merged {
  const [only, ...others] = records;
  if (only === undefined) throw new RangeError('There is no record to merge.');
  if (others.length === 0) return { text: only.text, warnings: [] };

  const inOrder = records.toSorted(byLine);
  const contents = new Map<InventoryRecord, JsonObject>(
    inOrder.map((record) => [record, JSON.parse(record.text)]),
  );
  const merged = new Map(inOrder.flatMap((record) => Object.entries(contents.get(record) ?? {})));
  const warnings: MergeWarning[] = [];
  for (const kind of CONTENT_KINDS) {
    const [first, ...rest] = inOrder.filter((record) => record.kinds.includes(kind));
    for (const member of MEMBERS_OF_KIND[kind]) merged.delete(member);
    if (first === undefined) continue;
    const used = latest([first, ...rest]);
    for (const record of [first, ...rest]) {
      if (record !== used) warnings.push(unused(record, used, kind));
    }
    for (const member of MEMBERS_OF_KIND[kind]) {
      const value = contents.get(used)?.[member];
      if (value !== undefined) merged.set(member, value);
    }
  }
  const text = write(merged, inOrder[0]?.line ?? only.line);
  return { text, warnings: warnings.toSorted((a, b) => a.line - b.line) };
}

/** Two records on one line cannot be of one file; their text decides then, so that the order still does not. */
function byLine(a: InventoryRecord, b: InventoryRecord): number {
  return a.line - b.line || (a.text < b.text ? -1 : Number(a.text > b.text));
}

/** Of records in the order of their lines. */
function latest(records: readonly [InventoryRecord, ...InventoryRecord[]]): InventoryRecord {
  const times = records.map((record) => instantOf(record.updateTime));
  const comparable = times.every((time) => time !== null);
  let best = 0;
  times.forEach((time, at) => {
    if (!comparable || (time ?? 0n) >= (times[best] ?? 0n)) best = at;
  });
  return records[best] ?? records[0];
}

function unused(record: InventoryRecord, used: InventoryRecord, kind: ContentKind): MergeWarning {
  return {
    line: record.line,
    message: `The ${kind} content of this record is not used: line ${used.line} describes the same asset and prevails, by its update time or, where that does not decide, by its place.`,
  };
}

function write(members: ReadonlyMap<string, unknown>, line: number): string {
  try {
    return JSON.stringify(Object.fromEntries(members));
  } catch (error) {
    // JSON.parse takes any depth and JSON.stringify does not: it recurses.
    if (!(error instanceof RangeError)) throw error;
    throw new InventoryError(
      'malformed',
      line,
      'This record is nested too deeply to be merged with the others of its asset.',
    );
  }
}
