import { describeIssue, inputFaults } from '@cspm/contract';
import { RequestValidationError } from '@ts-rest/express';
import { z } from 'zod';
import { validationFailed } from '../platform/problem.ts';
import type { Endpoint } from './match.ts';

/**
 * Wraps a schema of the contract in the Standard Schema interface that ts-rest calls. It parses synchronously and words
 * the issues ourselves. zod's own implementation returns a promise when a schema throws, and its rejection would be
 * unhandled; here the error is thrown and fails only this request.
 */
export function guarded(schema: unknown, describe = describeIssue): unknown {
  if (!(schema instanceof z.ZodType)) return undefined;
  const validate = (value: unknown) => {
    const result = schema.safeParse(value, { error: describe });
    return result.success ? { value: result.data } : { issues: result.error.issues };
  };
  return { '~standard': { version: 1, vendor: 'cspm', validate } };
}

/** Converts the validation errors of ts-rest to a problem; returns any other error unchanged. */
export function inputProblem(error: unknown): unknown {
  if (!(error instanceof RequestValidationError)) return error;
  return validationFailed([
    ...faultsOf('headers', error.headers),
    ...faultsOf('query', error.query),
    ...faultsOf('body', error.body),
  ]);
}

function faultsOf(place: string, error: unknown) {
  if (error === null || typeof error !== 'object' || !('issues' in error)) return [];
  // They come from `guarded`, so they are zod issues.
  return Array.isArray(error.issues) ? inputFaults(place, error.issues as z.core.$ZodIssue[]) : [];
}

/**
 * Parses the path parameters of a request.
 * @returns null for an invalid one: no resource can have that id.
 */
export function parseParams(
  { route }: Endpoint,
  params: Record<string, string>,
): Record<string, string> | null {
  const { pathParams } = route;
  if (!(pathParams instanceof z.ZodType)) return params;
  const result = pathParams.safeParse(params);
  if (!result.success) return null;
  // Every path parameter of the contract is a string.
  return result.data as Record<string, string>;
}
