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
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (!path.includes(name)) rest[name] = value;
  }
  const target = path.map((part, at) => (at % 2 ? segment(part, input[part]) : part)).join('');
  return { target, rest };
}

function segment(name: string, value: unknown): string {
  const text = `${value ?? ''}`;
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new ValidationError({ message: `${name} cannot be "${text}"`, code: 'VALIDATION_FAILED' });
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
