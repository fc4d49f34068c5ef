/** A token of the Logging query language. */
export interface Token {
  /** `word`: unquoted text, such as a path, a value, AND, OR, NOT; `text`: the content of quotes. */
  readonly kind: 'word' | 'text' | 'operator' | '(' | ')' | ',';
  readonly value: string;
  /** Offsets into the filter: two tokens are adjacent if the end of one is the start of the other. */
  readonly start: number;
  readonly end: number;
}

/** In this order: blank space and comments (two dashes up to the end of the line), then the tokens by kind. */
const PATTERN =
  /(?:\s|--[^\n]*)+|(?<operator><=|>=|!=|=~|!~|[=<>:])|(?<mark>[(),])|"(?<double>(?:[^"\\]|\\[\s\S])*)"|'(?<single>(?:[^'\\]|\\[\s\S])*)'|(?<word>[^\s()"'=<>!:~,]+)/y;

/** Null for invalid text: an unclosed quote or an unexpected character. */
export function tokensOf(filter: string): readonly Token[] | null {
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < filter.length) {
    const start = PATTERN.lastIndex;
    const match = PATTERN.exec(filter);
    if (match === null) return null;
    const end = PATTERN.lastIndex;
    const { operator, mark, double, single, word } = match.groups ?? {};
    const quoted = double ?? single;
    if (operator !== undefined) tokens.push({ kind: 'operator', value: operator, start, end });
    else if (quoted !== undefined) tokens.push({ kind: 'text', value: plain(quoted), start, end });
    else if (word !== undefined) tokens.push({ kind: 'word', value: word, start, end });
    else if (mark === '(' || mark === ')' || mark === ',')
      tokens.push({ kind: mark, value: mark, start, end });
  }
  return tokens;
}

/** Removes backslashes before a quote or another backslash; others belong to regular expressions. */
function plain(quoted: string): string {
  return quoted.replace(/\\(["'\\])/g, '$1');
}
