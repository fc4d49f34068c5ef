import { type Token, tokensOf } from './tokens.ts';

/** `resource.type = "gce_route"`; the value `*` after `:` tests whether the field exists. */
export interface Comparison {
  readonly kind: 'comparison';
  /** In lower case, without quotes. */
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/** A Cloud Logging filter of a sink or a metric. */
export type LogFilter =
  | Comparison
  /** Text that is searched in all fields. */
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly string[] }
  | { readonly kind: 'not'; readonly part: LogFilter }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly LogFilter[] };

/** The maximum length of a filter in Cloud Logging, in characters. */
export const FILTER_MAX = 20_000;

/** Limits on the cost of matching a filter. */
const TERMS_MAX = 2_000;
const PATTERNS_MAX = 16;

/** Real filters are a few levels deep; this depth is safe for the stack. */
const DEPTH_MAX = 100;

/** Whether a filter is too large to be read, so its effect is unknown. */
export class FilterTooLarge extends Error {}

/**
 * Parses a filter in the Logging query language: NOT binds most tightly, then OR, then AND, which is also implied
 * between two adjacent terms. Null for an invalid filter. Only words in capitals are operators: `and` is a text to search
 * for.
 * https://cloud.google.com/logging/docs/view/logging-query-language
 *
 * @throws FilterTooLarge for one of more than 20,000 characters, 2,000 terms or 16 regular expressions
 */
export function parseLogFilter(filter: string): LogFilter | null {
  if (filter.length > FILTER_MAX) {
    throw new FilterTooLarge(`a filter of more than ${FILTER_MAX} characters`);
  }
  const tokens = tokensOf(filter);
  if (tokens === null || tokens.length === 0) return null;
  const parser = new Parser(tokens);
  const parsed = parser.conjunction(0);
  return parser.isAtEnd ? parsed : null;
}

interface Path {
  readonly text: string;
  /** Whether it is directly followed by an opening parenthesis, as in `log_id("x")`. */
  readonly isCallee: boolean;
  readonly isReserved: boolean;
}

/** Each method returns null if the tokens do not match its grammar rule. */
class Parser {
  readonly #tokens: Token[];
  #at = 0;
  #terms = 0;
  #patterns = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = [...tokens];
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  conjunction(depth: number): LogFilter | null {
    const parts: LogFilter[] = [];
    do {
      const part = this.#disjunction(depth);
      if (part === null) return null;
      parts.push(part);
    } while (this.#takeWord('AND') || !(this.isAtEnd || this.#peek(')')));
    return joined('and', parts);
  }

  #disjunction(depth: number): LogFilter | null {
    const parts: LogFilter[] = [];
    do {
      const part = this.#term(depth);
      if (part === null) return null;
      parts.push(part);
    } while (this.#takeWord('OR'));
    return joined('or', parts);
  }

  #term(depth: number): LogFilter | null {
    if (depth > DEPTH_MAX) return null;
    if (this.#takeWord('NOT') || this.#takeMinus()) {
      const part = this.#term(depth + 1);
      return part === null ? null : { kind: 'not', part };
    }
    if (this.#take('(')) {
      const inner = this.conjunction(depth + 1);
      return inner !== null && this.#take(')') ? inner : null;
    }
    return this.#restriction(depth);
  }

  #restriction(depth: number): LogFilter | null {
    const subject = this.#path();
    if (subject === null) return null;
    this.#terms += 1;
    if (this.#terms > TERMS_MAX)
      throw new FilterTooLarge(`a filter of more than ${TERMS_MAX} terms`);
    if (subject.isCallee) return this.#call(subject.text);
    const operator = this.#take('operator');
    if (operator === null) {
      return subject.isReserved ? null : { kind: 'text', value: subject.text };
    }
    const field = subject.text.toLowerCase();
    if (operator.value.endsWith('~')) {
      const before = this.#terms;
      const parsed = this.#value(field, operator.value, depth);
      // A list counts once per term.
      this.#patterns += Math.max(1, this.#terms - before);
      if (this.#patterns > PATTERNS_MAX) {
        throw new FilterTooLarge(`a filter of more than ${PATTERNS_MAX} regular expressions`);
      }
      return parsed;
    }
    return this.#value(field, operator.value, depth);
  }

  #value(field: string, operator: string, depth: number): LogFilter | null {
    if (this.#take('(')) {
      const values = this.conjunction(depth + 1);
      return values !== null && this.#take(')') ? distributed(field, operator, values) : null;
    }
    const value = this.#path();
    if (value === null) return null;
    return { kind: 'comparison', field, operator, value: value.text };
  }

  #call(name: string): LogFilter | null {
    this.#at += 1;
    const values: string[] = [];
    while (!this.#take(')')) {
      const value = this.#path();
      if (value === null) return null;
      values.push(value.text);
      if (!this.#take(',') && !this.#peek(')')) return null;
    }
    return { kind: 'call', name: name.toLowerCase(), values };
  }

  /** Words and quoted texts joined by a dot form one path: `labels."compute.googleapis.com/name"`. */
  #path(): Path | null {
    const first = this.#take('word') ?? this.#take('text');
    if (first === null) return null;
    let text = first.value;
    let last = first;
    for (;;) {
      const next = this.#tokens[this.#at];
      const isPart = next?.kind === 'word' || next?.kind === 'text';
      if (!isPart || next.start !== last.end) break;
      if (!last.value.endsWith('.') && !next.value.startsWith('.')) break;
      text += next.value;
      last = next;
      this.#at += 1;
    }
    const next = this.#tokens[this.#at];
    const isCallee = first.kind === 'word' && next?.kind === '(' && next.start === last.end;
    return { text, isCallee, isReserved: first.kind === 'word' && /^(?:AND|OR|NOT)$/.test(text) };
  }

  #peek(kind: Token['kind']): boolean {
    return this.#tokens[this.#at]?.kind === kind;
  }

  #take(kind: Token['kind']): Token | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== kind) return null;
    this.#at += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' || token.value !== word) return false;
    // In `AND = 1` and `AND.then : x` these words are field names.
    if (this.#tokens[this.#at + 1]?.kind === 'operator') return false;
    this.#at += 1;
    return true;
  }

  /** `-resource.type = x` and `-"text"` are negations too: the minus is removed from the word. */
  #takeMinus(): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' || !token.value.startsWith('-')) return false;
    if (token.value === '-') {
      this.#at += 1;
      return true;
    }
    const rest = { ...token, value: token.value.slice(1), start: token.start + 1 };
    this.#tokens[this.#at] = rest;
    return true;
  }
}

function joined(kind: 'and' | 'or', parts: readonly LogFilter[]): LogFilter {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : { kind, parts };
}

/** `field = ("a" OR "b")` is short for `field = "a" OR field = "b"`. */
function distributed(field: string, operator: string, values: LogFilter): LogFilter | null {
  switch (values.kind) {
    case 'text':
      return { kind: 'comparison', field, operator, value: values.value };
    case 'not': {
      const part = distributed(field, operator, values.part);
      return part === null ? null : { kind: 'not', part };
    }
    case 'and':
    case 'or': {
      const parts = values.parts.map((part) => distributed(field, operator, part));
      const whole = parts.filter((part) => part !== null);
      return whole.length === parts.length ? { kind: values.kind, parts: whole } : null;
    }
    default:
      return null;
  }
}
