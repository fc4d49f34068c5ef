const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Finds the members of the outermost object without parsing their values, which takes a fraction of the time of JSON.parse
 * and JSON.stringify.
 * @param text a JSON object, known to be well-formed
 * @param use receives each name, and the member as it is written: `"name": value`
 */
export function eachMember(text: string, use: (name: string, member: string) => void): void {
  let start = text.indexOf('"');
  while (start !== -1) {
    const nameEnd = endOfString(text, start);
    const end = endOfValue(text, text.indexOf(':', nameEnd) + 1);
    use(decoded(text.slice(start + 1, nameEnd - 1)), text.slice(start, end));
    start = text.charCodeAt(end) === COMMA ? text.indexOf('"', end) : -1;
  }
}

function decoded(name: string): string {
  return name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name;
}

/** The index after the string that begins at a quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether an odd number of backslashes precedes. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
}

/** The index of the comma or the closing brace of the outermost object after a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at) - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth === 0) return at;
        depth -= 1;
        break;
      case COMMA:
        if (depth === 0) return at;
        break;
      default:
    }
  }
  return text.length;
}
