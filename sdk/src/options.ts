import type { ApiError } from './errors.ts';

/** How failed attempts are repeated. Members left out keep their defaults. */
export interface RetryOptions {
  /** Attempts in all, the first one included; 3 by default. A replay after a refresh or a step-up is not counted. */
  readonly maxAttempts?: number | undefined;
  /** Bound of the first backoff in milliseconds; it doubles with each retry. 100 by default; tenfold after a 429. */
  readonly baseDelayMs?: number | undefined;
  /** Bound of any backoff in milliseconds; 20,000 by default. What the server tells the client to wait is not cut. */
  readonly maxDelayMs?: number | undefined;
  /** `false`: retries do not draw on the budget that all clients of one origin and credential share. */
  readonly budget?: boolean | undefined;
}

/** The input of a method that takes none: there may be some later, so options keep their place. */
export type NoInput = Readonly<Record<string, never>>;

/** A filter: one value, or several of which any will do. */
export type OneOrMany<T> = T | readonly T[];

/** What can be said about one call. */
export interface CallOptions {
  /** Ends the call, its sleeps included, with an `AbortError` whose `cause` is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline over all attempts and sleeps, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Bound of a single attempt, in milliseconds. */
  readonly attemptTimeoutMs?: number | undefined;
  /** `false`: one attempt only. */
  readonly retry?: RetryOptions | false | undefined;
  /** Headers to add, or to replace; the credential stays. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as `X-Tenant-ID`. */
  readonly tenantId?: string | undefined;
}

/** What can be said about one call of an operation that takes an Idempotency-Key. */
export interface KeyedCallOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters but comma and quote. Left out: the client makes one for each call. */
  readonly idempotencyKey?: string | undefined;
}

/** A session: a short-lived access token and what renews it. */
export interface SessionOptions {
  readonly accessToken: string;
  readonly refreshToken: string;
  /**
   * Told of every new pair, and awaited before the refused call is replayed: the place to store it, since the refresh
   * token before it is spent.
   */
  readonly onRefresh?: ((tokens: SessionTokens) => void | Promise<void>) | undefined;
}

/** The pair of tokens that stands for a session. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Exactly one credential, or none; a master key only with a reason. */
export type CredentialOptions =
  | (Without<'session' | 'masterKey' | 'reason'> & {
      /** A per-user or global API key. */
      readonly apiKey?: string | undefined;
    })
  | (Without<'apiKey' | 'masterKey' | 'reason'> & { readonly session: SessionOptions })
  | (Without<'apiKey' | 'session'> & {
      /** The break-glass credential. */
      readonly masterKey: string;
      /** Why it is used; written to the audit trail. */
      readonly reason: string;
    });

type Without<K extends string> = { readonly [key in K]?: undefined };

/** What a client is made of besides its credential. */
export interface CommonOptions {
  /** Where the service is, with or without a path such as `/api/v1`. */
  readonly baseUrl: string | URL;
  /** The tenant of every call that does not name its own; sent as `X-Tenant-ID`. */
  readonly tenantId?: string | undefined;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** `false`: no call is repeated. */
  readonly retry?: RetryOptions | false | undefined;
  /** Deadline of a call over all attempts and sleeps, in milliseconds; 60,000 by default, an hour for an upload. */
  readonly timeoutMs?: number | undefined;
  /** Bound of a single attempt, in milliseconds; 30,000 by default, an hour for an upload. */
  readonly attemptTimeoutMs?: number | undefined;
  /** `off`: requests are sent although a rate limit is known to be spent. */
  readonly pacing?: 'auto' | 'off' | undefined;
  /** Observers; what one throws fails the call. */
  readonly hooks?: Hooks | undefined;
  /**
   * Asked for a one-time code when a call of a session is refused with `MFA_REQUIRED`: the session is raised with it, and
   * the call is sent again. Asked once for all calls that are refused together; `error` is that of the first of them.
   * Undefined, or an error: the calls end with their own `MfaRequiredError`.
   */
  readonly onStepUp?:
    | ((error: ApiError) => string | undefined | Promise<string | undefined>)
    | undefined;
}

/** What a client is made of. */
export type ClientOptions = CommonOptions & CredentialOptions;

/** A request about to be sent. */
export interface RequestEvent {
  /** The method of the client, such as `scans.launch`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** 1 for the first request of the call. */
  readonly attempt: number;
  /** How long the client waited before it, in milliseconds. */
  readonly delayMs: number;
  /** Code of the error that the attempt before ended with; undefined on the first. */
  readonly reason: string | undefined;
}

/** A request that was answered, or failed. */
export interface ResponseEvent extends RequestEvent {
  /** Left out: there was no response. */
  readonly status?: number;
  /** Why there was no response. */
  readonly error?: Error;
  /** From sending to the end of the response, in milliseconds. */
  readonly durationMs: number;
}

/** Sees what the client does. */
export interface Hooks {
  onRequest?(event: RequestEvent): void;
  onResponse?(event: ResponseEvent): void;
  /** Before the wait: `attempt` and `delayMs` are those of the attempt to come. */
  onRetry?(event: RequestEvent): void;
}
