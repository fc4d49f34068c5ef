import { ValidationError } from './errors.ts';
import type { Operation } from './operation.ts';

/** The input of a call: path, query and body members in one. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * Puts the members of the input that the path names into it; `rest` is those that are left.
 * @throws {ValidationError} for a path parameter that would lead to another path: an empty one, `.` or `..`, which URL
 * parsers resolve even where they are percent-encoded.
 */
export function placeInput({ path }: Operation, input: Input): { target: string; rest: Input } {
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(input)) if (!path.includes(name)) rest[name] = input[name];
  const target = path.map((part, at) => (at % 2 ? segment(part, input[part]) : part)).join('');
  return { target, rest };
}

function segment(name: string, value: unknown): string {
  const text = `${value ?? ''}`;
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new ValidationError({ message: `${name} cannot be "${text}"`, code: 'VALIDATION_FAILED' });
}

/** Writes a query with its question mark: lists repeat their name, what is undefined stays out. */
export function queryOf(input: Input): string {
  const query: string[][] = [];
  for (const name of Object.keys(input)) {
    for (const value of [input[name]].flat())
      if (value !== undefined) query.push([name, `${value}`]);
  }
  return query.length ? `?${new URLSearchParams(query)}` : '';
}
