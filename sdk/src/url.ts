import { ValidationError } from './errors.ts';
import type { Operation } from './operation.ts';

/** The input of a call: path, query and body members in one object. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * Puts input members into the path; `rest` has the remaining members.
 * @throws {ValidationError} for a path parameter that would change the path: an empty one, `.` or `..`, which URL
 * parsers resolve even when percent-encoded.
 */
export function placeInput({ path }: Operation, input: Input): { target: string; rest: Input } {
  const rest = { ...input };
  const target = path.map((part, at) => (at % 2 ? segment(part, rest) : part)).join('');
  return { target, rest };
}

/** Takes a parameter out of the input. */
function segment(name: string, input: Record<string, unknown>): string {
  const text = `${input[name] ?? ''}`;
  input[name] = undefined;
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw invalidInput(`${name} cannot be "${text}"`);
}

/** The error of an input that cannot be sent. */
export function invalidInput(message: string): ValidationError {
  return new ValidationError({ message, code: 'VALIDATION_FAILED' });
}

/**
 * Reads the URL of a service. `localhost:3000` is a URL too, whose scheme is `localhost`.
 * @throws {TypeError} for another URL than one of http, or none.
 */
export function readUrl(baseUrl: string | URL): URL {
  try {
    const url = new URL(baseUrl, globalThis.location?.href);
    if (/^http/.test(url.origin)) return url;
  } catch {}
  throw new TypeError(`baseUrl cannot be "${baseUrl}"`);
}

/** Formats a query with its question mark: lists repeat their name, undefined members are omitted. */
export function queryOf(input: Input): string {
  const query: string[][] = [];
  for (const [name, values] of Object.entries(input)) {
    for (const value of [values].flat()) if (value !== undefined) query.push([name, `${value}`]);
  }
  return query.length ? `?${new URLSearchParams(query)}` : '';
}
