/**
 * The rate limits. The server enforces this catalogue, the OpenAPI document lists it and the SDK throttles by it.
 * Requests are counted per client address (IPv6: per /64) in fixed windows, before authentication, failures included.
 */
export interface Limit {
  /** Requests per window. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/**
 * The limit that every limited request counts against, in addition to the tighter limit of its endpoint. The operator
 * sets its quota (`RATE_LIMIT`); clients learn it from the `RateLimit-Policy` header.
 */
export const DEFAULT_LIMIT: Limit = { quota: 60, windowSeconds: 60 };

/** The tighter limits, each counted separately. */
export const LIMITS = {
  scans: { quota: 10, windowSeconds: 60 },
  preflight: { quota: 10, windowSeconds: 60 },
  'custom-rule-test': { quota: 10, windowSeconds: 60 },
  login: { quota: 5, windowSeconds: 60 },
  register: { quota: 5, windowSeconds: 60 },
  'reset-password': { quota: 5, windowSeconds: 60 },
  'verify-email': { quota: 10, windowSeconds: 60 },
  'forgot-password': { quota: 3, windowSeconds: 60 },
  'resend-verification': { quota: 3, windowSeconds: 60 },
  google: { quota: 10, windowSeconds: 60 },
  'saml-acs': { quota: 10, windowSeconds: 60 },
  'saml-discover': { quota: 10, windowSeconds: 60 },
  refresh: { quota: 10, windowSeconds: 60 },
  /** Shared by `/auth/confirm` and `/auth/confirm/mail`. */
  confirm: { quota: 5, windowSeconds: 60 },
  '2fa': { quota: 5, windowSeconds: 60 },
  /** Every request that presents a master key, on any endpoint. */
  'break-glass': { quota: 10, windowSeconds: 3600 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** Maximum number of open streams of each kind, counted per server. */
export interface StreamLimit {
  readonly perCredential: number;
  readonly perTenant: number;
  readonly inAll: number;
}

/**
 * Long-lived streams. A stream beyond the limit of a credential or a tenant is refused with RATE_LIMITED, and `limit`
 * names the kind.
 */
export const OPEN_STREAMS = {
  /** Server-sent events. */
  events: { perCredential: 20, perTenant: 100, inAll: 1_000 },
  /** Exports of findings and of the audit trail. */
  export: { perCredential: 4, perTenant: 8, inAll: 100 },
  /** Reports of scans, which cost more of the processor than exports. */
  report: { perCredential: 1, perTenant: 2, inAll: 20 },
} as const satisfies Record<string, StreamLimit>;

export type StreamName = keyof typeof OPEN_STREAMS;
