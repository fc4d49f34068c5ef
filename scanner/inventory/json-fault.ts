/** The position where a text stops being valid JSON. */
export interface JsonFault {
  /** Index of the first character that does not fit, in UTF-16 code units. */
  readonly offset: number;
  /** The expected token. */
  readonly expected: string;
}

type Want = 'value' | 'value or ]' | 'string' | 'string or }' | ':' | 'end';

/**
 * Finds the first fault of a text that JSON.parse refuses; null if it is valid JSON (RFC 8259). JSON.parse does not
 * always report the position, and its messages quote the text, which may hold a secret. Linear and not recursive, so
 * deep nesting cannot overflow the stack.
 */
export function findJsonFault(text: string): JsonFault | null {
  const closers: string[] = [];
  let want: Want = 'value';
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    const character = text[at];
    const closer = closers.at(-1);
    if (want === 'end') {
      if (closer === undefined) {
        return character === undefined ? null : { offset: at, expected: 'the end of the record' };
      }
      if (character === closer) closers.pop();
      else if (character === ',') want = closer === '}' ? 'string' : 'value';
      else return { offset: at, expected: `a comma or ${closer}` };
      at += 1;
    } else if (want === ':') {
      if (character !== ':') return { offset: at, expected: 'a colon' };
      want = 'value';
      at += 1;
    } else if (character === closer && (want === 'string or }' || want === 'value or ]')) {
      closers.pop();
      want = 'end';
      at += 1;
    } else if (want === 'string' || want === 'string or }') {
      if (character !== '"') return { offset: at, expected: 'a member name in double quotes' };
      const end = stringEnd(text, at);
      if (typeof end !== 'number') return end;
      want = ':';
      at = end;
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      want = character === '{' ? 'string or }' : 'value or ]';
      at += 1;
    } else {
      const end = character === '"' ? stringEnd(text, at) : literalEnd(text, at);
      if (typeof end !== 'number') return end;
      want = 'end';
      at = end;
    }
  }
}

/**
 * A position as a reader finds it: the column, and the line unless it is the first one of the text.
 * @param offset in UTF-16 code units
 * @param line the physical line on which the text begins
 */
export function placeIn(text: string, offset: number, line: number): string {
  let breaks = 0;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    if (text.charCodeAt(at) !== LINE_FEED) continue;
    breaks += 1;
    lineStart = at + 1;
  }
  const column = offset - lineStart + 1;
  return breaks === 0 ? `column ${column}` : `line ${line + breaks}, column ${column}`;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

// A record may have megabytes, so these loops compare character codes, which is as fast as JSON.parse.

function skipSpace(text: string, from: number): number {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return at;
  }
}

const HEX = /^[0-9a-fA-F]{4}$/;

function stringEnd(text: string, from: number): number | JsonFault {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < SPACE) {
      return { offset: at, expected: 'an escape sequence instead of a control character' };
    }
    if (code !== BACKSLASH) continue;
    const escaped = text.charAt(at + 1);
    if (escaped === 'u' && HEX.test(text.slice(at + 2, at + 6))) at += 5;
    else if (escaped !== '' && '"\\/bfnrt'.includes(escaped)) at += 1;
    else return { offset: at, expected: 'a JSON escape sequence' };
  }
  return { offset: text.length, expected: 'the closing quote of a string' };
}

/**
 * Characters of a number or a keyword. A run of them is extracted first, so the patterns never see long input except
 * digits.
 */
const IN_LITERAL = new Uint8Array(128);
for (const character of '-+.0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') {
  IN_LITERAL[character.charCodeAt(0)] = 1;
}

function literalEnd(text: string, from: number): number | JsonFault {
  let end = from;
  while (IN_LITERAL[text.charCodeAt(end)] === 1) end += 1;
  const literal = text.slice(from, end);
  const known = literal === 'true' || literal === 'false' || literal === 'null';
  if (known || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(literal)) return end;
  return { offset: from, expected: 'a value' };
}
