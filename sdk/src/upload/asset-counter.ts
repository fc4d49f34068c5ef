const NEWLINE = 0x0a;
const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** Counts the complete assets of an inventory in its bytes. */
export interface AssetCounter {
  read(bytes: Uint8Array): void;
  /** The last byte has been read. */
  end(): void;
  /** Undefined: what was read is no list of assets. */
  assets(): number | undefined;
}

/** A counter for the format that the headers name; undefined for compressed bytes. */
export function assetCounter(headers: Headers): AssetCounter | undefined {
  if (headers.has('content-encoding')) return undefined;
  return headers.get('content-type')?.includes('ndjson') ? lineCounter() : arrayCounter();
}

/** NDJSON: lines that begin with an object. */
function lineCounter(): AssetCounter {
  let assets = 0;
  /** The first byte of the line that is not white space; 0: none yet. */
  let first = 0;
  const endLine = () => {
    if (first === OPEN_OBJECT) assets += 1;
    first = 0;
  };
  return {
    read(bytes) {
      let at = 0;
      while (at < bytes.length) {
        while (first === 0 && at < bytes.length && bytes[at] !== NEWLINE) {
          const byte = bytes[at] ?? 0;
          if (byte > SPACE) first = byte;
          at += 1;
        }
        const end = bytes.indexOf(NEWLINE, at);
        if (end < 0) return;
        endLine();
        at = end + 1;
      }
    },
    end: endLine,
    assets: () => assets,
  };
}

/** A JSON array: objects directly in it. */
function arrayCounter(): AssetCounter {
  let assets = 0;
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let isList: boolean | undefined;
  const readByte = (byte: number) => {
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) inString = false;
      return;
    }
    if (byte <= SPACE) return;
    isList ??= byte === OPEN_ARRAY;
    if (byte === QUOTE) inString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (depth === 1 && byte === CLOSE_OBJECT) assets += 1;
    }
  };
  return {
    read(bytes) {
      // A Terraform plan is one object.
      if (isList !== false) for (const byte of bytes) readByte(byte);
    },
    end() {},
    assets: () => (isList === false ? undefined : assets),
  };
}
