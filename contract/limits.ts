/**
 * The rate limits: one catalogue that the server enforces, the OpenAPI document states and the SDK paces itself by.
 * Counted per client address (IPv6: per /64), in fixed windows, before authentication, failures included.
 */
export interface Limit {
  /** Requests per window. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/**
 * The limit that every limited request counts against, beside the tighter one of its endpoint.
 * The operator sets its quota (`RATE_LIMIT`), so a client learns it from the `RateLimit-Policy` header.
 */
export const DEFAULT_LIMIT: Limit = { quota: 60, windowSeconds: 60 };

/** The tighter limits, each with a bucket of its own. */
export const LIMITS = {
  scans: { quota: 10, windowSeconds: 60 },
  preflight: { quota: 10, windowSeconds: 60 },
  login: { quota: 5, windowSeconds: 60 },
  register: { quota: 5, windowSeconds: 60 },
  'reset-password': { quota: 5, windowSeconds: 60 },
  'verify-email': { quota: 10, windowSeconds: 60 },
  'forgot-password': { quota: 3, windowSeconds: 60 },
  'resend-verification': { quota: 3, windowSeconds: 60 },
  google: { quota: 10, windowSeconds: 60 },
  'saml-acs': { quota: 10, windowSeconds: 60 },
  refresh: { quota: 10, windowSeconds: 60 },
  '2fa': { quota: 5, windowSeconds: 60 },
  /** Of every request that presents a master key, wherever it is sent. */
  'break-glass': { quota: 10, windowSeconds: 3600 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
