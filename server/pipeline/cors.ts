import type { Request, Response } from 'express';

/** Everything of ours that a page may want to read. */
const EXPOSED = [
  'X-Correlation-ID',
  'X-Tenant-ID',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Location',
  'Deprecation',
  'Sunset',
  'Date',
  'Content-Disposition',
  'WWW-Authenticate',
].join(', ');

/** What a page may send. The master key is never among it: break-glass is not for browsers. */
const ALLOWED =
  'Authorization, Content-Type, Content-Encoding, Idempotency-Key, Last-Event-ID, X-API-Key, X-Correlation-ID, X-Retry-Attempt, X-Tenant-ID';

/**
 * Lets pages of the listed origins, compared to the letter, read our answers (Fetch standard, CORS protocol).
 * @returns true when the request was a preflight and is answered now: it reaches no limit and no endpoint.
 */
export function answerCors(req: Request, res: Response, origins: readonly string[]): boolean {
  if (origins.length === 0) return false;
  res.appendHeader('Vary', 'Origin');
  const origin = req.headers.origin;
  if (origin === undefined || !origins.includes(origin)) return false;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
    return false;
  }
  res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', ALLOWED);
  res.setHeader('Access-Control-Max-Age', '600');
  res.status(204).end();
  return true;
}
