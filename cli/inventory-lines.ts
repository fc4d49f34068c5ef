import { INVENTORY_LIMITS } from '@cspm/scanner';

export interface InventoryLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without the line break; null for a line that is longer than a record may be. */
  readonly bytes: Buffer | null;
}

const LINE_FEED = 0x0a;

/** The lines of an NDJSON inventory, in the memory of one line. Unlike the reader of a scan, it survives a line that is too long. */
export async function* inventoryLines(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<InventoryLine> {
  let held: Buffer[] = [];
  let length = 0;
  let number = 1;
  const take = (): InventoryLine => {
    const bytes = length > INVENTORY_LIMITS.recordBytes ? null : Buffer.concat(held);
    held = [];
    length = 0;
    number += 1;
    return { number: number - 1, bytes };
  };
  const hold = (part: Buffer) => {
    length += part.length;
    if (length <= INVENTORY_LIMITS.recordBytes) held.push(part);
    else held = [];
  };
  for await (const chunk of source) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      hold(rest.subarray(0, end));
      yield take();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) hold(rest);
  }
  if (length > 0) yield take();
}
