/** Where a text stops being JSON. */
export interface JsonFault {
  /** Index of the first character that does not fit, in UTF-16 code units. */
  readonly offset: number;
  /** What should stand there. */
  readonly expected: string;
}

type Want = 'value' | 'value or ]' | 'string' | 'string or }' | ':' | 'end';

/**
 * Finds the first fault of a text that JSON.parse refuses; null if it is JSON (RFC 8259). JSON.parse does not always
 * say where the fault is, and its words quote the text, which may hold a secret. Its work is linear and it does not
 * recurse, so that a million brackets are no way to bring us down.
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

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}

function stringEnd(text: string, from: number): number | JsonFault {
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (text.charCodeAt(at) < 0x20) {
      return { offset: at, expected: 'an escape instead of a control character' };
    }
    if (character !== '\\') continue;
    const sequence = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6));
    if (sequence === null) return { offset: at, expected: 'an escape sequence of JSON' };
    at += sequence[0].length;
  }
  return { offset: text.length, expected: 'the closing quote of a string' };
}

/** What a number or a word is made of; a run of it is cut out first, so that the patterns see nothing long but digits. */
const LITERAL_CHARACTER = /[-+.0-9A-Za-z_]/;

function literalEnd(text: string, from: number): number | JsonFault {
  let end = from;
  while (end < text.length && LITERAL_CHARACTER.test(text.charAt(end))) end += 1;
  const literal = text.slice(from, end);
  const known = literal === 'true' || literal === 'false' || literal === 'null';
  if (known || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(literal)) return end;
  return { offset: from, expected: 'a value' };
}
