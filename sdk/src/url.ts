import { ValidationError } from './errors.ts';
import type { Operation } from './operation.ts';

/** The input of a call: path, query and body members in one. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * Spreads the input over path, query and body, as the operation says.
 * @throws {ValidationError} for a path parameter that would lead to another path: an empty one, `.` or `..`, which URL
 * parsers resolve even where they are percent-encoded.
 */
export function placeInput(operation: Operation, input: Input): { target: string; rest: Input } {
  const rest: Record<string, unknown> = { ...input };
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name] ?? '');
    if (/^\.{0,2}$/.test(value)) {
      const message = `"${value}" is no ${name} that could be part of a path`;
      throw new ValidationError({ message, code: 'VALIDATION_FAILED', attempts: [] });
    }
    delete rest[name];
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of operation.body ? (operation.query ?? []) : Object.keys(rest)) {
    for (const value of [rest[name]].flat()) {
      if (value !== undefined) query.append(name, String(value));
    }
    delete rest[name];
  }
  const search = query.toString();
  return { target: search ? `${path}?${search}` : path, rest };
}
