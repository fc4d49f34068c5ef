import type { Request, Response } from 'express';

/** Response headers that a page may read. */
const EXPOSED = [
  'X-Correlation-ID',
  'X-Tenant-ID',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Allow',
  'Location',
  'Deprecation',
  'Sunset',
  'Date',
  'ETag',
  'Content-Disposition',
  'WWW-Authenticate',
].join(', ');

/**
 * What a page may send: what the contract names, the headers of the SDK, and the trace context (W3C Trace Context). Left
 * out on purpose are the headers of the master key, because break-glass is not for browsers, and `X-Session-Transport`,
 * because a session cookie serves only pages of this service.
 */
const ALLOWED =
  'Authorization, Content-Type, Content-Encoding, Idempotency-Key, If-None-Match, Last-Event-ID, X-API-Key, X-Correlation-ID, X-Retry-Attempt, X-SDK-Version, X-Tenant-ID, traceparent, tracestate';

/**
 * Lets pages of the listed origins (exact match) read our responses (Fetch standard, CORS protocol).
 * @returns true when the request was a preflight that is answered now, before limits and endpoints.
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
