import type { ApiError } from './errors.ts';

/** How failed attempts are retried. Omitted members keep their defaults. */
export interface RetryOptions {
  /**
   * Total number of attempts, including the first; 3 by default. A replay after a refresh or a step-up is not counted.
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Upper bound of the first backoff in milliseconds; it doubles with each retry. 100 by default; ten times that after
   * a 429.
   */
  readonly baseDelayMs?: number | undefined;
  /**
   * Upper bound of any backoff in milliseconds; 20,000 by default. Waits that the server asks for are not shortened.
   */
  readonly maxDelayMs?: number | undefined;
  /** `false`: retries do not use the budget shared by all clients of one origin and credential. */
  readonly budget?: boolean | undefined;
}

/** The input of a method without input. It keeps the position of the options stable if input is added later. */
export type NoInput = Readonly<Record<string, never>>;

/** A filter: one value, or several, any of which may match. */
export type OneOrMany<T> = T | readonly T[];

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, including its waits, with an `AbortError` whose `cause` is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Deadline of the call in milliseconds, including all attempts and waits. A stream may be read for as long as it
   * delivers, unless this is set for the call.
   */
  readonly timeoutMs?: number | undefined;
  /** Time limit of a single attempt, in milliseconds. */
  readonly attemptTimeoutMs?: number | undefined;
  /** `false`: one attempt only. */
  readonly retry?: RetryOptions | false | undefined;
  /** Headers to add or replace. The credential cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The tenant of a master key, or another tenant for a session with `admin.users` and `admin.settings`; sent as
   * `X-Tenant-ID`. The service ignores it with other credentials: an API key always works in its own tenant.
   */
  readonly tenantId?: string | undefined;
}

/** Options of one call of an operation that accepts an Idempotency-Key. */
export interface KeyedCallOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters except comma and quote. By default the client creates one for each call. */
  readonly idempotencyKey?: string | undefined;
}

/** A session: a short-lived access token and its refresh token. */
export interface SessionOptions {
  readonly accessToken: string;
  readonly refreshToken: string;
  /**
   * Called with every new pair and awaited before the refused call is replayed. Store the pair here, because the
   * previous refresh token is spent.
   */
  readonly onRefresh?: ((tokens: SessionTokens) => void | Promise<void>) | undefined;
}

/** The tokens of a session. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Sends `POST /auth/refresh`, with the given refresh token or with the cookie of the browser; the new tokens are saved. */
export type Refresh = (refreshToken?: string) => Promise<unknown>;

/**
 * A session whose tokens are kept outside the client, perhaps for several clients or pages. `@cspm/sdk/session` makes such
 * sessions.
 */
export interface SessionSource {
  /** An API key to send instead of tokens. */
  readonly apiKey?: string | undefined;
  /** The tokens to send; undefined: signed out, or not loaded yet. */
  readonly tokens: SessionTokens | undefined;
  /** Sent with the operations that open, renew or end a session. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called before each request that takes a credential; resolves when `tokens` are the ones to use. */
  load(refresh: Refresh): Promise<void> | undefined;
  /** Called when an access token was refused: gets its successor. */
  renew(refused: string, refresh: Refresh): Promise<unknown>;
  /** Takes up the tokens of a sign-in, or of a session that was renewed or raised. */
  save(
    tokens: SessionTokens & { readonly expiresIn?: number },
    isRenewal: boolean,
  ): void | Promise<void>;
  /** Called when the session has ended. */
  clear(): void | Promise<void>;
}

/** Exactly one credential, or none; a master key only with a reason. */
export type CredentialOptions =
  | (Without<'session' | 'masterKey' | 'reason' | 'credential'> & {
      /**
       * A per-user or global API key. A value that no header can hold, such as the placeholder `cspm_…`, is refused with a
       * `ValidationError` when the client is created. The client does not check the format of the key: the service answers
       * 401 for one that it does not know. With `undefined` or an empty string, the client has no credential.
       */
      readonly apiKey?: string | undefined;
    })
  | (Without<'apiKey' | 'masterKey' | 'reason' | 'credential'> & {
      readonly session: SessionOptions | SessionSource;
    })
  | (Without<'apiKey' | 'session' | 'masterKey' | 'reason'> & {
      /**
       * Supplies the credential before the first call, and again after a 401. Concurrent calls share one request for it.
       * If it throws, the calls that wait for it end with the same error.
       */
      readonly credential: () => SuppliedCredential | Promise<SuppliedCredential>;
    })
  | (Without<'apiKey' | 'session' | 'credential'> & {
      /** The break-glass credential. */
      readonly masterKey: string;
      /** Why it is used; recorded in the audit trail. */
      readonly reason: string;
    });

/**
 * A credential from elsewhere, such as a secret manager. A value that no header can hold is refused with a
 * `ValidationError` before the request is sent.
 */
export type SuppliedCredential = { readonly apiKey: string } | { readonly accessToken: string };

type Without<K extends string> = { readonly [key in K]?: undefined };

/** Options of a client besides its credential. */
export interface CommonOptions {
  /** URL of the service, with or without a path such as `/api/v1`. In browsers it may be a path alone. */
  readonly baseUrl: string | URL;
  /** Headers to add to every call, or to replace. Headers of a call take precedence; the credential cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The default tenant of calls; see `tenantId` of `CallOptions` for the credentials that can choose one. */
  readonly tenantId?: string | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** `false`: no call is retried. */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * Deadline of a call in milliseconds, including all attempts and waits; 60,000 by default, one hour for an upload.
   */
  readonly timeoutMs?: number | undefined;
  /** Time limit of a single attempt, in milliseconds; 30,000 by default, one hour for an upload. */
  readonly attemptTimeoutMs?: number | undefined;
  /** `off`: requests are sent even when a rate limit is known to be exhausted. */
  readonly pacing?: 'auto' | 'off' | undefined;
  /** Observers. An exception in one fails the call. */
  readonly hooks?: Hooks | undefined;
  /**
   * Gets requests and responses at `debug`, and retries at `warn`. The failure of a call is its error, and not logged.
   * URLs come without the values of their query, and credentials are never logged.
   */
  readonly logger?: Logger | undefined;
  /**
   * Asks for a one-time code when a call of a session is refused with `MFA_REQUIRED`. The client upgrades the session
   * with it and replays the call. It is called once for all calls that are refused together, with the `error` of the
   * first. If it returns undefined or throws, or the code is wrong, each call ends with its own `MfaRequiredError`. After a
   * wrong code, its `cause` is the error with the code `INVALID_CODE`.
   */
  readonly onStepUp?:
    | ((error: ApiError) => string | undefined | Promise<string | undefined>)
    | undefined;
}

/** Options of a client. */
export type ClientOptions = CommonOptions & CredentialOptions;

/** Options of a derived client, which override those of the client it is derived from. */
export type DerivedOptions = Partial<
  Pick<
    CommonOptions,
    | 'attemptTimeoutMs'
    | 'fetch'
    | 'headers'
    | 'hooks'
    | 'logger'
    | 'retry'
    | 'tenantId'
    | 'timeoutMs'
  >
>;

/** A logger, such as `console` or one of pino. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A request about to be sent. */
export interface RequestEvent {
  /** The method of the client, such as `scans.launch`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** 1 for the first request of the call. */
  readonly attempt: number;
  /** How long the client waited before this request, in milliseconds. */
  readonly delayMs: number;
  /** Code of the error that ended the previous attempt; undefined for the first. */
  readonly reason: string | undefined;
}

/** A request that was answered or failed. */
export interface ResponseEvent extends RequestEvent {
  /** Omitted when there was no response. */
  readonly status?: number;
  /** Why there was no response. */
  readonly error?: Error;
  /** Id of the request in the server's logs. */
  readonly correlationId: string | undefined;
  /** From sending to the end of the response, in milliseconds. */
  readonly durationMs: number;
}

/** Observes the requests of a client. */
export interface Hooks {
  onRequest?(event: RequestEvent): void;
  onResponse?(event: ResponseEvent): void;
  /** Called before the wait: `attempt` and `delayMs` describe the next attempt. */
  onRetry?(event: RequestEvent): void;
}
