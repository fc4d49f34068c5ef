/** Limits of one JSON text, checked on its bytes before parsing. */
export interface JsonLimits {
  /** Maximum number of nested arrays and objects; the outermost one is level 1. */
  readonly depth: number;
  /** Maximum number of values: every array, object, string, number, boolean and null, at any level. */
  readonly values: number;
  /**
   * Maximum number of object members at all levels together; if omitted: limited by `values` alone. Member names that
   * differ cost JSON.parse up to 1 µs each, ten times as much as values.
   */
  readonly members?: number;
}

/** The limits for each kind of untrusted JSON. */
export const JSON_LIMITS = {
  /** A request body, of at most 1 MiB. Validating 10,000 values takes about 20 ms. */
  body: { depth: 64, values: 10_000 },
  /** One record of an inventory: a line of NDJSON or an element of a JSON array, of at most 4 MiB. */
  record: { depth: 64, values: 250_000, members: 50_000 },
  /** A document that is read as a whole, of at most 128 MiB: a Terraform plan or state, a file passed to the CLI. */
  document: { depth: 64, values: 10_000_000 },
} as const satisfies Record<string, JsonLimits>;

/** A JSON text that exceeds a limit. The message never quotes a value of the text. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError';
  /** Which limit: `depth`, `values` or `members`. */
  readonly limit: keyof JsonLimits;
  /**
   * Where the text exceeds the limit, as a JSON pointer (RFC 6901) of at most 256 characters; a longer one ends in `…`.
   */
  readonly pointer: string;
  /** The same position as an index into the input: bytes of a byte array, UTF-16 code units of a string. */
  readonly offset: number;

  constructor(limit: keyof JsonLimits, maximum: number, pointer: string, offset: number) {
    super(
      limit === 'depth'
        ? `The JSON is nested more than ${maximum} levels deep; flatten it.`
        : `The JSON has more than ${maximum} ${limit === 'values' ? 'values' : 'object members'}; send fewer at once.`,
    );
    this.limit = limit;
    this.pointer = pointer;
    this.offset = offset;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** Marks a level that is an array, and one that is an object whose first member name has not been read. */
const IN_ARRAY = -1;
const NO_MEMBER = -2;

const POINTER_MAX = 256;

/**
 * Checks a JSON text (UTF-8 bytes, or a string) against limits in one linear pass without recursion. Call it before
 * JSON.parse, which checks the syntax: this reads only brackets, commas and strings.
 * @throws JsonLimitError at the first place that exceeds a limit.
 */
export function checkJsonText(input: Uint8Array | string, limits: JsonLimits): void {
  // Each level and each value takes at least one character, so a text this short cannot exceed a limit.
  if (input.length <= limits.depth && input.length <= limits.values) return;
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  // Per level: the start of the current member's name, or IN_ARRAY; and the number of commas so far.
  const members: number[] = [NO_MEMBER];
  const positions: number[] = [0];
  let depth = 0;
  let values = 0;
  let named = 0;
  const mostNamed = limits.members ?? limits.values;
  let lastString = 0;
  /** Whether the innermost array or object is still empty. */
  let empty = false;

  const exceeds = (limit: keyof JsonLimits, at: number) =>
    new JsonLimitError(
      limit,
      limits[limit] ?? limits.values,
      pointerTo(bytes, members.slice(1, depth + 1), positions.slice(1, depth + 1)),
      typeof input === 'string' ? new TextDecoder().decode(bytes.subarray(0, at)).length : at,
    );

  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    switch (byte) {
      case QUOTE:
        lastString = at;
        empty = false;
        for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
          if (bytes[at] === BACKSLASH) at += 1;
        }
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (depth === limits.depth) throw exceeds('depth', at);
        depth += 1;
        members[depth] = byte === OPEN_BRACKET ? IN_ARRAY : NO_MEMBER;
        positions[depth] = 0;
        empty = true;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        // A value is counted at its end: at the comma after it, or at the end of its container.
        if (!empty) values += 1;
        if (values >= limits.values) throw exceeds('values', at);
        if (depth > 0) depth -= 1;
        empty = false;
        break;
      case COMMA:
        values += 1;
        if (values >= limits.values) throw exceeds('values', at);
        positions[depth] = (positions[depth] ?? 0) + 1;
        break;
      case COLON:
        if (members[depth] === IN_ARRAY) break;
        members[depth] = lastString;
        named += 1;
        if (named > mostNamed) throw exceeds('members', at);
        break;
      default:
        if (byte !== undefined && byte > SPACE) empty = false;
    }
  }
}

/** The JSON pointer of the open levels. */
function pointerTo(
  bytes: Uint8Array,
  members: readonly number[],
  positions: readonly number[],
): string {
  let pointer = '';
  for (const [level, member] of members.entries()) {
    if (member === NO_MEMBER) break;
    pointer += `/${member === IN_ARRAY ? positions[level] : memberName(bytes, member)}`;
    if (pointer.length > POINTER_MAX) {
      // Does not split a surrogate pair.
      return `${pointer.slice(0, POINTER_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
    }
  }
  return pointer;
}

/** The name that begins at a quote, escaped for a JSON pointer. */
function memberName(bytes: Uint8Array, from: number): string {
  let end = from + 1;
  const last = Math.min(bytes.length, from + 4 * POINTER_MAX);
  while (end < last && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  const written = new TextDecoder().decode(bytes.subarray(from + 1, Math.min(end, last)));
  return withoutEscapes(written).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The decoded member name, or its raw text if that is not valid JSON. */
function withoutEscapes(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}
