import type { HeaderObject } from './types.ts';

/** The response headers of this API; each response refers to those that it has. */
export const HEADERS = {
  'X-Correlation-ID': {
    description:
      'Identifies this request in logs and in the audit trail. Your own value, if it was valid. Quote it to support.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    example: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
  },
  'X-Tenant-ID': {
    description: 'The tenant of the request. Sent with every response after authentication.',
    schema: { type: 'string', format: 'uuid' },
    example: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27',
  },
  'RateLimit-Policy': {
    description:
      'The rate limits of the endpoint as a list of structured fields (RFC 9651): name, quota `q`, window `w` in seconds.',
    schema: { type: 'string' },
    example: '"default";q=60;w=60, "scans";q=10;w=60',
  },
  RateLimit: {
    description:
      'The remaining quota of each limit as a list of structured fields (RFC 9651): name, remaining `r`, seconds to the next window `t`.',
    schema: { type: 'string' },
    example: '"default";r=59;t=60, "scans";r=9;t=60',
  },
  'Idempotency-Replayed': {
    description: '`true`: this is the stored response of the first request with this key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ETag: {
    description: 'Identifies this content of the response (RFC 9110 §8.8.3).',
    schema: { type: 'string' },
    example: '"5PZ1yLx0kQk7G5yqXv3Yk0xw1aA"',
  },
  Location: {
    description: 'The path of the created resource, or the URL that the browser is redirected to.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/scans/0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
  },
  'Content-Disposition': {
    description: 'A name for the file (RFC 6266).',
    schema: { type: 'string' },
    example: 'attachment; filename="findings-20261120T080000Z.csv"',
  },
  'Set-Cookie': {
    description:
      'A cookie of the browser (RFC 6265). A sign-in at a provider begins and ends with the same one. A session has one if the request asked for it with `X-Session-Transport: cookie`; the end of the session deletes it.',
    schema: { type: 'string' },
    example: '__Host-cspm_sign_in=Zk3q; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=None',
  },
  'WWW-Authenticate': {
    description: 'The accepted authentication scheme (RFC 6750 §3).',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'Retry-After': {
    description: 'Seconds to wait before repeating the request (RFC 9110 §10.2.3).',
    schema: { type: 'integer', minimum: 0 },
    example: 17,
  },
  Deprecation: {
    description:
      'The date from which the operation is deprecated (RFC 9745), or the global API key if the request has one.',
    schema: { type: 'string', pattern: '^@-?[0-9]+$' },
    example: '@1793491200',
  },
  Sunset: {
    description: 'The date from which the operation may be removed: an HTTP date (RFC 8594).',
    schema: { type: 'string' },
    example: 'Sat, 01 May 2027 00:00:00 GMT',
  },
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADERS;
