import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language';

/** A name that completion offers. */
export interface Named {
  readonly name: string;
  /** Shown beside the name: the kind of value, or the arguments. */
  readonly detail?: string;
  readonly text: string;
}

/** The variables of a condition. */
export const VARIABLES: readonly Named[] = [
  {
    name: 'resource',
    detail: 'map',
    text: 'The content of the asset. Its members are in resource.data.',
  },
  { name: 'iam_policy', detail: 'map', text: 'The IAM policy of the asset itself.' },
  { name: 'asset', detail: 'map', text: 'The name, type and ancestors of the asset.' },
  { name: 'now', detail: 'timestamp', text: 'The time of the scan.' },
];

/** Other spellings of variables, which are coloured but not offered. */
const ALIASES = ['iamPolicy'];

/** Functions that are called by their name. */
export const FUNCTIONS: readonly Named[] = [
  {
    name: 'has',
    detail: '(a.b)',
    text: 'Whether the last member is there. The members before it must be.',
  },
  { name: 'size', detail: '(x)', text: 'The length of a string, list or map.' },
  {
    name: 'isPublic',
    detail: '(x)',
    text: 'Whether a member, a binding, a list of them or a policy includes everyone on the internet.',
  },
  {
    name: 'coversInternet',
    detail: '(x)',
    text: 'Whether a range, a list of ranges or a firewall rule covers nearly all addresses.',
  },
  {
    name: 'portOpen',
    detail: '(resource, "tcp", 22)',
    text: 'Whether an enabled firewall rule for incoming traffic allows the port.',
  },
  {
    name: 'flag',
    detail: '(resource, "name")',
    text: 'A database flag of a Cloud SQL instance; null if it is not set.',
  },
  { name: 'timestamp', detail: '(text)', text: 'A time from its RFC 3339 text.' },
  {
    name: 'duration',
    detail: '(text)',
    text: 'A span of time from a text such as "24h" or "3600s".',
  },
  { name: 'int', detail: '(x)', text: 'A number or a text as an integer.' },
  { name: 'double', detail: '(x)', text: 'A number or a text as a floating point number.' },
  { name: 'string', detail: '(x)', text: 'A value as text.' },
  {
    name: 'type',
    detail: '(x)',
    text: 'The type of a value, to compare with bool, int, string, list, map.',
  },
  { name: 'dyn', detail: '(x)', text: 'The value without checks of its type.' },
];

/** Methods of values that may be lists or maps. Their first argument names the element. */
export const MACROS: readonly Named[] = [
  { name: 'exists', detail: '(x, …)', text: 'Whether the condition is true for an element.' },
  { name: 'all', detail: '(x, …)', text: 'Whether the condition is true for every element.' },
  {
    name: 'exists_one',
    detail: '(x, …)',
    text: 'Whether the condition is true for exactly one element.',
  },
  { name: 'filter', detail: '(x, …)', text: 'The elements for which the condition is true.' },
  { name: 'map', detail: '(x, …)', text: 'The list of what is computed from each element.' },
];

/** Methods of strings. */
export const STRING_METHODS: readonly Named[] = [
  { name: 'startsWith', detail: '(text)', text: 'Whether the string begins with a text.' },
  { name: 'endsWith', detail: '(text)', text: 'Whether the string ends with a text.' },
  { name: 'contains', detail: '(text)', text: 'Whether the string contains a text.' },
  {
    name: 'matches',
    detail: '(pattern)',
    text: 'Whether an RE2 regular expression matches a part of the string.',
  },
  { name: 'lowerAscii', detail: '()', text: 'The string in lower case.' },
  { name: 'upperAscii', detail: '()', text: 'The string in upper case.' },
  { name: 'split', detail: '(separator)', text: 'The list of parts between separators.' },
  { name: 'replace', detail: '(old, new)', text: 'The string with a text replaced.' },
  { name: 'substring', detail: '(from, to)', text: 'The part between two positions.' },
  { name: 'indexOf', detail: '(text)', text: 'The position of a text; -1 if it does not occur.' },
  { name: 'trim', detail: '()', text: 'The string without white space at both ends.' },
];

/** Methods of any value. */
export const METHODS: readonly Named[] = [
  { name: 'size', detail: '()', text: 'The length of a string, list or map.' },
];

/** Words that cannot be member names after a dot. */
export const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);

const KEYWORDS = new Set(['true', 'false', 'null', 'in']);
const KNOWN = new Set([...VARIABLES.map(({ name }) => name), ...ALIASES]);

interface Tokens {
  /** The end of a string over several lines; null: none is open. */
  quote: string | null;
  afterDot: boolean;
}

const parser: StreamParser<Tokens> = {
  name: 'cel',
  startState: () => ({ quote: null, afterDot: false }),
  token(stream, state) {
    if (state.quote !== null) return inString(stream, state);
    if (stream.eatSpace()) return null;
    const { afterDot } = state;
    state.afterDot = false;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    const opening = stream.match(
      /^(?:[rR]?[bB]?|[bB][rR])("""|'''|"|')/,
    ) as RegExpMatchArray | null;
    if (opening !== null) {
      const [whole, quote = '"'] = opening;
      if (quote.length === 3) {
        state.quote = quote;
        return inString(stream, state);
      }
      const isRaw = /r/i.test(whole);
      stream.match(closing(quote, isRaw));
      return 'string';
    }
    if (stream.match(/^(0x[0-9a-f]+|\d+(\.\d+)?(e[+-]?\d+)?)u?/i)) return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word !== null) {
      const [name] = word;
      if (stream.match(/^\s*\(/, false)) return 'variableName.function';
      if (afterDot) return 'propertyName';
      if (KEYWORDS.has(name)) return 'keyword';
      return KNOWN.has(name) ? 'variableName.special' : 'variableName';
    }
    if (stream.match(/^[()[\]{}]/)) return 'bracket';
    if (stream.eat('.')) {
      state.afterDot = true;
      return 'punctuation';
    }
    if (stream.match(/^[!=<>]=|^&&|^\|\||^[-+*/%<>!?:]/)) return 'operator';
    stream.next();
    return 'punctuation';
  },
  languageData: {
    closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
    commentTokens: { line: '//' },
  },
};

/** The rest of a string on its line. */
function closing(quote: string, isRaw: boolean): RegExp {
  const inner = isRaw ? `[^${quote}]` : `(?:\\\\.|[^\\\\${quote}])`;
  return new RegExp(`^${inner}*${quote}?`);
}

function inString(stream: StringStream, state: Tokens): string {
  if (state.quote !== null && stream.skipTo(state.quote)) {
    stream.match(state.quote);
    state.quote = null;
  } else {
    stream.skipToEnd();
  }
  return 'string';
}

/** The colours, brackets and comments of CEL. A stream tokenizer: the server parses, this only colours. */
export const cel = StreamLanguage.define(parser);
