import type { IncomingMessage } from 'node:http';
import { validationFailed } from '../platform/problem.ts';

/** Headers that identify the caller, the tenant or a repetition: two values would be ambiguous. */
const SOLE_HEADERS = [
  'authorization',
  'x-api-key',
  'x-master-key',
  'x-tenant-id',
  'idempotency-key',
];

/** Whether `Host` is missing or repeated, which HTTP/1.1 forbids (RFC 9112 §3.2). Node would refuse it without a problem document. */
export function hasInvalidHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = countOf('host', rawHeaders);
  return hosts > 1 || (hosts === 0 && httpVersion !== '1.0');
}

/**
 * Refuses a request with an invalid `Host`, or that repeats another header which must be single. Node keeps the first
 * Authorization and joins the others with a comma, so raw headers are counted, and a comma is refused too.
 * @throws {ProblemError} VALIDATION_FAILED, naming the header.
 */
export function checkSoleHeaders(req: IncomingMessage): void {
  if (hasInvalidHost(req)) {
    throw validationFailed([{ path: 'headers.host', message: 'must be sent once' }]);
  }
  for (const name of SOLE_HEADERS) {
    const value = req.headers[name];
    if (value === undefined) continue;
    if (countOf(name, req.rawHeaders) > 1 || String(value).includes(',')) {
      throw validationFailed([
        { path: `headers.${name}`, message: 'must be sent once, without a comma' },
      ]);
    }
  }
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}
