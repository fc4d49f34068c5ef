import { REQUEST_LIMITS } from '@cspm/contract';
import { z } from 'zod';
import { validationFailed } from '../platform/problem.ts';

/** Converts the query string of a request to the types of its schema; validation comes later. */
export type QueryParser = (search: URLSearchParams) => Record<string, unknown>;

const MOST = REQUEST_LIMITS.queryParameters;

/** An operation that declares no query takes no parameters. */
export const NO_QUERY = z.strictObject({});

/**
 * Parses the query string of a request, strictly: URLSearchParams alone accepts any input.
 * @throws {ProblemError} VALIDATION_FAILED for an invalid percent escape, and for more parameters than any operation
 * takes.
 */
export function searchParams(search: string): URLSearchParams {
  if (search.split('&', MOST + 1).length > MOST) {
    throw validationFailed([{ path: 'query', message: `must have at most ${MOST} parameters` }]);
  }
  try {
    decodeURIComponent(search);
  } catch {
    throw validationFailed([{ path: 'query', message: 'contains an invalid % escape' }]);
  }
  return new URLSearchParams(search);
}

/**
 * Compiles a parser from a query schema, so the schemas of the contract need no coercion. A list parameter becomes a
 * list even when given once; numbers and booleans are parsed if they have the right form. A repeated parameter that is
 * not a list becomes one, which its schema refuses.
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
