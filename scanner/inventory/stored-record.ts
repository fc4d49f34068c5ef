import type { ContentKind } from './envelope.ts';
import type { InventoryRecord } from './record.ts';

const TAB = 0x09;

/** The part of a record that merging needs, besides its text. */
type Head = Pick<InventoryRecord, 'line' | 'name' | 'type' | 'kinds' | 'updateTime' | 'location'>;

/** A record in a spill: its head is parsed immediately, its text only on demand. */
export class StoredRecord implements Head {
  readonly line: number;
  readonly name: string;
  readonly type: string;
  readonly kinds: readonly ContentKind[];
  readonly updateTime: string | null;
  readonly location: string | null;
  readonly #lines: Buffer;
  readonly #textStart: number;
  readonly #end: number;

  /** @param lines contains, from `start` to before `end`, one line that `partsOf` wrote */
  constructor(lines: Buffer, start: number, end: number) {
    const tab = lines.indexOf(TAB, start);
    [this.line, this.name, this.type, this.kinds, this.updateTime, this.location] = JSON.parse(
      lines.toString('utf8', start, tab),
    );
    this.#lines = lines;
    this.#textStart = tab + 1;
    this.#end = end;
  }

  /** Number of bytes of the text. */
  get size(): number {
    return this.#end - this.#textStart;
  }

  /** The text in UTF-8: a view of the lines. */
  get bytes(): Buffer {
    return this.#lines.subarray(this.#textStart, this.#end);
  }

  /** Decoded at each access, not cached. */
  get text(): string {
    return this.#lines.toString('utf8', this.#textStart, this.#end);
  }
}

/** Shorter texts are joined with their heads, because one call to encode both is faster than two. */
const JOINED_CHARACTERS = 64 * 1024;

/** A record as one line for a spill. JSON writes a tab within a string as \t, so the first raw tab ends the head. */
export function partsOf(record: InventoryRecord): readonly string[] {
  const { line, name, type, kinds, updateTime, location } = record;
  const head = `${JSON.stringify([line, name, type, kinds, updateTime, location])}\t`;
  const { text } = record;
  return text.length > JOINED_CHARACTERS ? [head, text] : [head + text];
}

/** The key of an asset. Neither part contains a NUL. */
export function assetKey(record: Pick<InventoryRecord, 'name' | 'type'>): string {
  return `${record.type}\0${record.name}`;
}
