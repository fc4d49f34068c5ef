import type { HeaderObject } from './types.ts';

/** The response headers of this API; an answer refers to those that it carries. */
export const HEADERS = {
  'X-Correlation-ID': {
    description:
      'Identifies this request in logs and audit. Yours, if it was well-formed; quote it to support.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    example: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
  },
  'X-Tenant-ID': {
    description: 'The tenant that the request ran in. On every answer once a credential was taken.',
    schema: { type: 'string', format: 'uuid' },
    example: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27',
  },
  'RateLimit-Policy': {
    description:
      'The limits in force, as a list of structured fields (RFC 9651): name, quota `q`, window `w` in seconds.',
    schema: { type: 'string' },
    example: '"default";q=60;w=60, "scans";q=10;w=60',
  },
  RateLimit: {
    description:
      'What is left of each limit, as a list of structured fields (RFC 9651): name, remaining `r`, seconds to the next window `t`.',
    schema: { type: 'string' },
    example: '"default";r=59;t=60, "scans";r=9;t=60',
  },
  'Idempotency-Replayed': {
    description: '`true`: answered from the record of the first request with this key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Location: {
    description:
      'Where to go on: the plain path of what was begun, or the address that a browser is sent to.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/scans/0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
  },
  'WWW-Authenticate': {
    description: 'The scheme that is taken (RFC 6750 §3).',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is worth sending again (RFC 9110 §10.2.3).',
    schema: { type: 'integer', minimum: 0 },
    example: 17,
  },
  Deprecation: {
    description: 'Since when, or from when on, this should not be used any more (RFC 9745).',
    schema: { type: 'string', pattern: '^@-?[0-9]+$' },
    example: '@1793491200',
  },
  Sunset: {
    description: 'From when on it may be gone: an HTTP date (RFC 8594).',
    schema: { type: 'string' },
    example: 'Sat, 01 May 2027 00:00:00 GMT',
  },
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADERS;
