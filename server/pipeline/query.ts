import { z } from 'zod';
import { validationFailed } from './problems.ts';

/** Turns the query string of a request into what its schema is written for; validation comes after. */
export type QueryParser = (search: URLSearchParams) => Record<string, unknown>;

/** An operation that declares no query takes no parameters at all. */
export const NO_QUERY = z.strictObject({});

/**
 * The query string of a request, which URLSearchParams would take in any form.
 * @throws {ProblemError} VALIDATION_FAILED for a percent escape that is none.
 */
export function searchParams(search: string): URLSearchParams {
  try {
    decodeURIComponent(search);
  } catch {
    throw validationFailed([{ path: 'query', message: 'holds a malformed % escape' }]);
  }
  return new URLSearchParams(search);
}

/**
 * Compiles a parser from a query schema, so that the schemas of the contract stay free of coercion: a parameter that is
 * a list there is one here even when given once, and numbers and booleans are read as such where they are written as such.
 * A parameter that is no list but is given twice becomes one, which its schema then refuses.
 */
export function compileQuery(schema: unknown): QueryParser {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const kinds = new Map(Object.entries(shape).map(([name, member]) => [name, innermost(member)]));
  return (search) => {
    const query: Record<string, unknown> = {};
    for (const name of new Set(search.keys())) {
      const kind = kinds.get(name);
      const values = search.getAll(name).map((value) => read(kind, value));
      Object.defineProperty(query, name, {
        value: kind instanceof z.ZodArray || values.length > 1 ? values : values[0],
        enumerable: true,
      });
    }
    return query;
  };
}

function innermost(schema: unknown): unknown {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  return wrapped ? innermost(schema.unwrap()) : schema;
}

function read(kind: unknown, value: string): unknown {
  if (kind instanceof z.ZodNumber && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (kind instanceof z.ZodBoolean && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}
