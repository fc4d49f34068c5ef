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
  const rest: Record<string, unknown> = { ...input };
  const target = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = `${rest[name] ?? ''}`;
    if (/^\.{0,2}$/.test(value)) {
      const message = `${name} cannot be "${value}"`;
      throw new ValidationError({ message, code: 'VALIDATION_FAILED' });
    }
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { target, rest };
}

/** Writes a query with its question mark: lists repeat their name, what is undefined stays out. */
export function queryOf(input: Input): string {
  const entries = Object.entries(input).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => (value === undefined ? [] : [[name, `${value}`]])),
  );
  return entries.length ? `?${new URLSearchParams(entries)}` : '';
}
