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
export type CredentialOptions = (Without<"session" | "masterKey" | "reason"> & {
	/** A per-user or global API key. */
	readonly apiKey?: string | undefined;
}) | (Without<"apiKey" | "masterKey" | "reason"> & {
	readonly session: SessionOptions;
}) | (Without<"apiKey" | "session"> & {
	/** The break-glass credential. */
	readonly masterKey: string;
	/** Why it is used; written to the audit trail. */
	readonly reason: string;
});
export type Without<K extends string> = {
	readonly [key in K]?: undefined;
};
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
	readonly pacing?: "auto" | "off" | undefined;
	/** Observers; what one throws fails the call. */
	readonly hooks?: Hooks | undefined;
	/**
	 * Asked for a one-time code when a call of a session is refused with `MFA_REQUIRED`: the session is raised with it, and
	 * the call is sent again. Asked once for all calls that are refused together; `error` is that of the first of them.
	 * Undefined, or an error: the calls end with their own `MfaRequiredError`.
	 */
	readonly onStepUp?: ((error: ApiError) => string | undefined | Promise<string | undefined>) | undefined;
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
/** The state of one rate limit, as a response told it. */
export interface RateLimit {
	/** `default` is the general limit; others are those of single endpoints. */
	readonly name: string;
	/** Requests left in the present window. */
	readonly remaining: number;
	/** Seconds until the window ends, counted from the response. */
	readonly resetSeconds: number;
	/** Requests per window, where the server states its policy. */
	readonly quota: number | undefined;
	/** Length of a window in seconds, where the server states its policy. */
	readonly windowSeconds: number | undefined;
}
/** A server-sent event. */
export interface ServerEvent<T> {
	/** Of this event, or the last before it that had one. */
	readonly id: string;
	/** What sort of event it is. */
	readonly event: string;
	readonly data: T;
}
/** A piece of an inventory: text or bytes are taken as they are; anything else is one asset, written as a line of JSON. */
export type InventoryChunk = string | Uint8Array | object;
/**
 * What an inventory can be uploaded from: the text or bytes of an export, or its pieces. A string, bytes, a `Blob` and
 * an array can be sent again; streams and other iterables only where no connection had been made.
 */
export type InventorySource = Whole | Pieces;
export type Whole = string | Uint8Array | ArrayBuffer | Blob;
export type Pieces = ReadableStream<InventoryChunk> | AsyncIterable<InventoryChunk> | Iterable<InventoryChunk>;
/** A page of a list. */
export interface Page<T> {
	readonly items: T[];
	/** Pass it as `cursor` for the next page; null: there is none. */
	readonly nextCursor: string | null;
}
/** A list: await it for the first page, or iterate over the items of all pages. Pages are fetched when they are reached. */
export interface ListCall<T> extends Call<Page<T>>, AsyncIterable<T> {
}
/** How to wait for a scan. */
export interface WaitOptions {
	readonly signal?: AbortSignal | undefined;
	/** How long to wait at most, in milliseconds; left out: as long as the scan takes. */
	readonly timeoutMs?: number | undefined;
	/** Told of the scan at first and whenever it has changed; what it throws ends the wait. */
	readonly onProgress?: ((scan: Scan) => void) | undefined;
}
/** Resolves with the scan once it is finished, whatever its status. */
export type WaitForScan = (id: string, options?: WaitOptions) => Promise<Scan>;
/**
 * A client of the service: one method for each operation.
 *
 * A method takes one flat input, in which path, query and body are merged, and then options. A call is a
 * promise; a list can also be iterated over, a stream only that. Besides the errors that it lists, any method
 * may end with a `ConnectionError`, a `TimeoutError` or, once its signal is aborted, an `AbortError`.
 */
export interface Cspm {
	readonly auth: {
		/**
		 * Sign in with e-mail and password.
		 *
		 * Opens a session. Every refusal has the same answer and takes the same time, whatever its reason; only
		 * whoever has the right password learns that a second factor is missing.
		 *
		 * `POST /auth/login`: needs no credential; rate limit `login` of 5 in 60 s besides the general one. Never
		 * repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {UnauthorizedError} `INVALID_CREDENTIALS`, `TOTP_REQUIRED`
		 * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		login(input: AuthLoginInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Renew a session.
		 *
		 * Spends the refresh token and answers with a new pair. A token that is used again after it was spent
		 * ends the whole session, unless it is the one before and the repetition comes within 10 seconds.
		 *
		 * `POST /auth/refresh`: needs no credential; rate limit `refresh` of 10 in 60 s besides the general one.
		 * Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		refresh(input: AuthRefreshInput, options?: CallOptions): Call<Tokens>;
		/**
		 * End a session.
		 *
		 * Ends the session that the refresh token belongs to; its access tokens are refused from then on. An
		 * unknown token is answered alike.
		 *
		 * `POST /auth/logout`: needs no credential; general rate limit. Repeating it has the effect of one, so it
		 * is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		logout(input: AuthLogoutInput, options?: CallOptions): Call<void>;
		/**
		 * End all your sessions.
		 *
		 * In every tenant, this one included. Their tokens are refused from the next request on.
		 *
		 * `POST /auth/logout-all`: needs a session; general rate limit. Repeating it has the effect of one, so it
		 * is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		logoutAll(input?: NoInput, options?: CallOptions): Call<void>;
		/**
		 * Register an account.
		 *
		 * Makes a tenant with you as its administrator, once you have followed the link in the mail. The answer
		 * is the same when the address has an account already; its owner is then told by mail.
		 *
		 * `POST /auth/register`: needs no credential; rate limit `register` of 5 in 60 s besides the general one.
		 * Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ForbiddenError} `REGISTRATION_CLOSED`
		 * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		register(input: AuthRegisterInput, options?: CallOptions): Call<Accepted>;
		/**
		 * Confirm an e-mail address.
		 *
		 * Spends the token of the mail. From then on the account can sign in.
		 *
		 * `POST /auth/verify-email`: needs no credential; rate limit `verify-email` of 10 in 60 s besides the
		 * general one. Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		verifyEmail(input: AuthVerifyEmailInput, options?: CallOptions): Call<void>;
		/**
		 * Ask for another confirmation mail.
		 *
		 * The answer is the same whether or not there is an account that waits for one.
		 *
		 * `POST /auth/resend-verification`: needs no credential; rate limit `resend-verification` of 3 in 60 s
		 * besides the general one. Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		resendVerification(input: AuthResendVerificationInput, options?: CallOptions): Call<Accepted>;
		/**
		 * Ask for a new password.
		 *
		 * Sends a link if there is such an account. The answer is the same if not.
		 *
		 * `POST /auth/forgot-password`: needs no credential; rate limit `forgot-password` of 3 in 60 s besides
		 * the general one. Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		forgotPassword(input: AuthForgotPasswordInput, options?: CallOptions): Call<Accepted>;
		/**
		 * Set a password by the link of a mail.
		 *
		 * Spends the token and ends every session of the account. The mailbox counts as proven; a second factor
		 * is still asked for at sign-in. Somebody invited who is new here sets the first password so, and thereby
		 * accepts.
		 *
		 * `POST /auth/reset-password`: needs no credential; rate limit `reset-password` of 5 in 60 s besides the
		 * general one. Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		resetPassword(input: AuthResetPasswordInput, options?: CallOptions): Call<void>;
		/**
		 * Accept an invitation to another tenant.
		 *
		 * For people who have an account: the membership counts from now on, and the password stays.
		 *
		 * `POST /auth/accept-invite`: needs no credential; general rate limit. Never repeated once the server may
		 * have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		acceptInvite(input: AuthAcceptInviteInput, options?: CallOptions): Call<void>;
		/**
		 * Change your password.
		 *
		 * Ends all your other sessions and keeps this one. Wrong guesses count with those at sign-in.
		 *
		 * `POST /auth/change-password`: needs a session; general rate limit. Never repeated once the server may
		 * have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CREDENTIALS`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		changePassword(input: AuthChangePasswordInput, options?: CallOptions): Call<void>;
		/**
		 * Sign in with Google.
		 *
		 * Takes an ID token that Google issued to this service. Whoever signs in for the first time is recognised
		 * by the address that Google has verified, or gets an account and a tenant of their own where
		 * registration is open. The session has passed no second factor of ours.
		 *
		 * `POST /auth/google`: needs no credential; rate limit `google` of 10 in 60 s besides the general one.
		 * Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {UnauthorizedError} `INVALID_CREDENTIALS`
		 * @throws {ForbiddenError} `REGISTRATION_CLOSED`
		 * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		google(input: AuthGoogleInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Exchange a code for tokens.
		 *
		 * The code that a sign-in at an identity provider left in the address of `/auth/callback`. Good once, for
		 * 60 seconds.
		 *
		 * `POST /auth/exchange`: needs no credential; general rate limit. Never repeated once the server may have
		 * seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		exchange(input: AuthExchangeInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Who am I?
		 *
		 * The identity, the tenant and the permissions that the credential carries right now.
		 *
		 * `GET /auth/me`: needs a session or an API key or the global API key or a master key; general rate
		 * limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		me(input?: NoInput, options?: CallOptions): Call<Identity>;
	};
	readonly twoFactor: {
		/**
		 * Begin to enrol an authenticator.
		 *
		 * Answers with a new secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). It is
		 * not in force until a code of it was sent to `POST /auth/2fa/enable`, and is never shown again.
		 *
		 * `POST /auth/2fa/setup`: needs a session; rate limit `2fa` of 5 in 60 s besides the general one. Never
		 * repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `REAUTH_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		setup(input?: TwoFactorSetupInput, options?: CallOptions): Call<TwoFactorSetup>;
		/**
		 * Put the authenticator in force.
		 *
		 * Confirms the secret by a first code. From then on signing in wants a code.
		 *
		 * `POST /auth/2fa/enable`: needs a session; rate limit `2fa` of 5 in 60 s besides the general one. Never
		 * repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		enable(input: TwoFactorEnableInput, options?: CallOptions): Call<RecoveryCodes>;
		/**
		 * Pass the second factor in this session.
		 *
		 * Keeps the session and raises it: the new tokens open what wants a second factor. The refresh token that
		 * the session had is spent.
		 *
		 * `POST /auth/2fa/verify`: needs a session; rate limit `2fa` of 5 in 60 s besides the general one. Never
		 * repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		verify(input: TwoFactorVerifyInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Remove the authenticator.
		 *
		 * Voids the recovery codes too. No session counts as one that has passed a second factor from then on.
		 *
		 * `POST /auth/2fa/disable`: needs a session; rate limit `2fa` of 5 in 60 s besides the general one. Never
		 * repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `REAUTH_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		disable(input: TwoFactorDisableInput, options?: CallOptions): Call<void>;
		/**
		 * Make new recovery codes.
		 *
		 * The ones made before are void.
		 *
		 * `POST /auth/2fa/recovery-codes`: needs a session; rate limit `2fa` of 5 in 60 s besides the general
		 * one. Never repeated once the server may have seen it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `REAUTH_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		recoveryCodes(input: TwoFactorRecoveryCodesInput, options?: CallOptions): Call<RecoveryCodes>;
	};
	readonly sessions: {
		/**
		 * List your sessions.
		 *
		 * Your own in every tenant, newest first. Those that have ended are not listed.
		 *
		 * `GET /sessions`: needs a session; general rate limit. Changes nothing, so it is repeated after any
		 * failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: SessionsListInput, options?: CallOptions): ListCall<Session>;
		/**
		 * End one of your sessions.
		 *
		 * Its tokens are refused from the next request on.
		 *
		 * `DELETE /sessions/:id`: needs a session; general rate limit. Repeating it has the effect of one, so it
		 * is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		revoke(input: SessionsRevokeInput, options?: CallOptions): Call<void>;
	};
	readonly apiKeys: {
		/**
		 * List API keys.
		 *
		 * Your own keys; with `admin.users` those of any user of the tenant.
		 *
		 * `GET /api-keys`: needs a session or an API key or the global API key or a master key; permission
		 * `keys.own`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: ApiKeysListInput, options?: CallOptions): ListCall<ApiKey>;
		/**
		 * Make an API key.
		 *
		 * Wants a session, so that a stolen key cannot breed. The key is shown this once.
		 *
		 * `POST /api-keys`: needs a session; permission `keys.own`; general rate limit. Sent with an
		 * Idempotency-Key, so it is repeated after any failure that may pass and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: ApiKeysCreateInput, options?: KeyedCallOptions): Call<NewApiKey>;
		/**
		 * Revoke an API key.
		 *
		 * The key is refused from the next request on. With `admin.users` also the key of another user of the
		 * tenant.
		 *
		 * `DELETE /api-keys/:id`: needs a session or an API key or the global API key or a master key; permission
		 * `keys.own`; general rate limit. Repeating it has the effect of one, so it is repeated after any failure
		 * that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		revoke(input: ApiKeysRevokeInput, options?: CallOptions): Call<void>;
	};
	readonly users: {
		/**
		 * List users.
		 *
		 * The members of your tenant, those who joined last first.
		 *
		 * `GET /users`: needs a session or an API key or the global API key or a master key; permission
		 * `admin.users`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: UsersListInput, options?: CallOptions): ListCall<User>;
		/**
		 * Invite a user.
		 *
		 * Mails an invitation, which is good for 7 days. The person is a member once they confirm; the answer
		 * does not tell whether they have an account already.
		 *
		 * `POST /users`: needs a session or an API key or the global API key or a master key; the session must
		 * have passed a second factor, or `onStepUp` is asked for one; permission `admin.users`; general rate
		 * limit. Sent with an Idempotency-Key, so it is repeated after any failure that may pass and takes effect
		 * once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: UsersCreateInput, options?: KeyedCallOptions): Call<User>;
		/**
		 * Get a user.
		 *
		 * A member of your tenant.
		 *
		 * `GET /users/:id`: needs a session or an API key or the global API key or a master key; permission
		 * `admin.users`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: UsersGetInput, options?: CallOptions): Call<User>;
		/**
		 * Change a user.
		 *
		 * Takes effect with their next request. Disabling also ends their sessions. Answers 409 when it would
		 * leave the tenant without an active admin, for your own role and status, and for the status of somebody
		 * who has not confirmed the invitation yet.
		 *
		 * `PATCH /users/:id`: needs a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, or `onStepUp` is asked for one; permission `admin.users`; general
		 * rate limit. Repeating it has the effect of one, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: UsersUpdateInput, options?: CallOptions): Call<User>;
		/**
		 * Remove a user.
		 *
		 * Ends the membership, its sessions and its keys at once, and erases what is known of the person in your
		 * tenant: the audit trail keeps their id alone. Answers 409 for the last active admin and for yourself.
		 *
		 * `DELETE /users/:id`: needs a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, or `onStepUp` is asked for one; permission `admin.users`; general
		 * rate limit. Repeating it has the effect of one, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: UsersDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly roles: {
		/**
		 * List roles.
		 *
		 * Whole in one answer: the built-in roles first, then those of the tenant by name.
		 *
		 * `GET /roles`: needs a session or an API key or the global API key or a master key; permission
		 * `admin.users`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: NoInput, options?: CallOptions): ListCall<Role>;
		/**
		 * Define a role.
		 *
		 * It can hold no permission that you do not hold yourself.
		 *
		 * `POST /roles`: needs a session or an API key or the global API key or a master key; the session must
		 * have passed a second factor, or `onStepUp` is asked for one; permission `admin.users`; general rate
		 * limit. Sent with an Idempotency-Key, so it is repeated after any failure that may pass and takes effect
		 * once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: RolesCreateInput, options?: KeyedCallOptions): Call<Role>;
		/**
		 * Redefine a role.
		 *
		 * Everybody who has the role gains and loses permissions with their next request. A built-in role answers
		 * 409.
		 *
		 * `PUT /roles/:name`: needs a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, or `onStepUp` is asked for one; permission `admin.users`; general
		 * rate limit. Repeating it has the effect of one, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: RolesUpdateInput, options?: CallOptions): Call<Role>;
		/**
		 * Delete a role.
		 *
		 * A role that somebody has, and a built-in one, answers 409.
		 *
		 * `DELETE /roles/:name`: needs a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, or `onStepUp` is asked for one; permission `admin.users`; general
		 * rate limit. Repeating it has the effect of one, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: RolesDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly tenant: {
		/**
		 * Get your tenant.
		 *
		 * The tenant of the credential, its licensed features and its settings.
		 *
		 * `GET /tenant`: needs a session or an API key or the global API key or a master key; general rate limit.
		 * Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input?: NoInput, options?: CallOptions): Call<Tenant>;
		/**
		 * Change your tenant.
		 *
		 * What is left out stays as it is.
		 *
		 * `PATCH /tenant`: needs a session or an API key or the global API key or a master key; the session must
		 * have passed a second factor, or `onStepUp` is asked for one; permission `admin.settings`; general rate
		 * limit. Repeating it has the effect of one, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input?: TenantUpdateInput, options?: CallOptions): Call<Tenant>;
	};
	readonly saml: {
		/**
		 * Get the SAML settings.
		 *
		 * The identity provider of the tenant; 404 when there is none.
		 *
		 * `GET /tenant/saml`: needs a session or an API key or the global API key or a master key; permission
		 * `admin.settings`; licensed feature `sso`; general rate limit. Changes nothing, so it is repeated after
		 * any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		getSettings(input?: NoInput, options?: CallOptions): Call<SamlSettings>;
		/**
		 * Put the SAML settings.
		 *
		 * Takes the metadata of the identity provider as it is pasted, or its three essential parts. Metadata is
		 * never fetched from anywhere. Accounts are linked anew to whoever the provider says they are: people are
		 * recognised by their address at their next sign-in.
		 *
		 * `PUT /tenant/saml`: needs a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, or `onStepUp` is asked for one; permission `admin.settings`; licensed
		 * feature `sso`; general rate limit. Repeating it has the effect of one, so it is repeated after any
		 * failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		putSettings(input: SamlPutSettingsInput, options?: CallOptions): Call<SamlSettings>;
		/**
		 * Delete the SAML settings.
		 *
		 * Nobody can sign in by the provider any more. Accounts stay, and are linked to it no longer.
		 *
		 * `DELETE /tenant/saml`: needs a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, or `onStepUp` is asked for one; permission `admin.settings`; licensed
		 * feature `sso`; general rate limit. Repeating it has the effect of one, so it is repeated after any
		 * failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		deleteSettings(input?: NoInput, options?: CallOptions): Call<void>;
	};
	readonly auditEvents: {
		/**
		 * List audit events.
		 *
		 * Newest first: every change and every sign-in, those that were refused included. Events are never
		 * changed; the name of a person who was erased is gone from them.
		 *
		 * `GET /audit-events`: needs a session or an API key or the global API key or a master key; permission
		 * `admin.audit`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: AuditEventsListInput, options?: CallOptions): ListCall<AuditEvent>;
		/**
		 * Export audit events.
		 *
		 * As NDJSON, one event a line, the oldest first, up to the moment of the request. Streamed: an answer
		 * that ends before its last chunk was cut and is not whole.
		 *
		 * `GET /audit-events/export`: needs a session or an API key or the global API key or a master key;
		 * permission `admin.audit`; licensed feature `audit_export`; general rate limit. Repeated after any
		 * failure that may pass until its first piece has come; what breaks off after that ends with a
		 * `ConnectionError`.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		export(input?: AuditEventsExportInput, options?: CallOptions): AsyncIterable<string>;
	};
	readonly projects: {
		/**
		 * List projects.
		 *
		 * Newest first, each with the inventory that the next scan would look at.
		 *
		 * `GET /projects`: needs a session or an API key or the global API key or a master key; permission
		 * `projects.read`; general rate limit. Changes nothing, so it is repeated after any failure that may
		 * pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: ProjectsListInput, options?: CallOptions): ListCall<Project>;
		/**
		 * Create a project.
		 *
		 * The name is its address: unique in the tenant, and never changed.
		 *
		 * `POST /projects`: needs a session or an API key or the global API key or a master key; permission
		 * `projects.write`; general rate limit. Sent with an Idempotency-Key, so it is repeated after any failure
		 * that may pass and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: ProjectsCreateInput, options?: KeyedCallOptions): Call<Project>;
		/**
		 * Get a project.
		 *
		 * With the inventory that the next scan would look at.
		 *
		 * `GET /projects/:name`: needs a session or an API key or the global API key or a master key; permission
		 * `projects.read`; general rate limit. Changes nothing, so it is repeated after any failure that may
		 * pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: ProjectsGetInput, options?: CallOptions): Call<Project>;
		/**
		 * Change a project.
		 *
		 * What is left out stays as it is. The name is for good.
		 *
		 * `PATCH /projects/:name`: needs a session or an API key or the global API key or a master key;
		 * permission `projects.write`; general rate limit. Repeating it has the effect of one, so it is repeated
		 * after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: ProjectsUpdateInput, options?: CallOptions): Call<Project>;
		/**
		 * Delete a project.
		 *
		 * Ends its scans and removes its inventories and findings. A new project of the same name starts afresh.
		 *
		 * `DELETE /projects/:name`: needs a session or an API key or the global API key or a master key;
		 * permission `projects.write`; general rate limit. Repeating it has the effect of one, so it is repeated
		 * after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: ProjectsDeleteInput, options?: CallOptions): Call<void>;
		/**
		 * List the inventories of a project.
		 *
		 * Newest first. The first one is in force; older ones are kept up to a number that the operator sets.
		 *
		 * `GET /projects/:name/inventories`: needs a session or an API key or the global API key or a master key;
		 * permission `projects.read`; general rate limit. Changes nothing, so it is repeated after any failure
		 * that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		inventories(input: ProjectsInventoriesInput, options?: CallOptions): ListCall<Inventory>;
		/**
		 * Upload an inventory.
		 *
		 * A Cloud Asset Inventory export: NDJSON (`application/x-ndjson`), or a JSON array (`application/json`),
		 * optionally with `Content-Encoding: gzip`, streamed. Blank lines and lines that begin with `#` are
		 * skipped. RESOURCE, IAM_POLICY, ORG_POLICY and ACCESS_POLICY records of one asset are merged. A JSON
		 * object is what `terraform show -json` writes of a plan or a state: its Google resources are judged as
		 * what they would become, and values that are known after apply only leave a verdict UNKNOWN. On a
		 * malformed record nothing changes: the inventory before it stays in force. Nor does anything change when
		 * the server has no room for it at the moment, which is 503.
		 *
		 * `PUT /projects/:name/inventory`: needs a session or an API key or the global API key or a master key;
		 * permission `projects.write`; general rate limit. Repeating it has the effect of one, so it is repeated
		 * after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		uploadInventory(input: ProjectsUploadInventoryInput, options?: CallOptions): Call<Inventory>;
	};
	readonly preflight: {
		/**
		 * Check whether a scan can start.
		 *
		 * Changes nothing. `POST /scans` makes the same checks and refuses what they block.
		 *
		 * `POST /preflight`: needs a session or an API key or the global API key or a master key; permission
		 * `preflight.run`; rate limit `preflight` of 10 in 60 s besides the general one. Changes nothing, so it
		 * is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		run(input: PreflightRunInput, options?: CallOptions): Call<Preflight>;
	};
	readonly scans: {
		/**
		 * List scans.
		 *
		 * Newest first. Ask for a batch by `ids` instead of polling scans one by one.
		 *
		 * `GET /scans`: needs a session or an API key or the global API key or a master key; permission
		 * `scans.read`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: ScansListInput, options?: CallOptions): ListCall<Scan>;
		/**
		 * Launch a scan.
		 *
		 * Queues one evaluation for each project and answers at once. With an Idempotency-Key a repetition never
		 * launches a second scan.
		 *
		 * `POST /scans`: needs a session or an API key or the global API key or a master key; permission
		 * `scans.launch`; rate limit `scans` of 10 in 60 s besides the general one. Sent with an Idempotency-Key,
		 * so it is repeated after any failure that may pass and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `PREFLIGHT_BLOCKED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		launch(input: ScansLaunchInput, options?: KeyedCallOptions): Call<Scan>;
		/**
		 * Get a scan.
		 *
		 * How far it is, and what it has found so far. A final `status` never changes again.
		 *
		 * `GET /scans/:id`: needs a session or an API key or the global API key or a master key; permission
		 * `scans.read`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: ScansGetInput, options?: CallOptions): Call<Scan>;
		/**
		 * Verdicts of a scan by rule.
		 *
		 * Whole in one answer: a row for every rule of the profile.
		 *
		 * `GET /scans/:id/rules`: needs a session or an API key or the global API key or a master key; permission
		 * `scans.read`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		rules(input: ScansRulesInput, options?: CallOptions): ListCall<RuleCount>;
		/**
		 * Compliance of a scan with a framework.
		 *
		 * Every requirement of the framework with its status, those that only a person can assess and those that
		 * the inventory could not decide included.
		 *
		 * `GET /scans/:id/compliance`: needs a session or an API key or the global API key or a master key;
		 * permission `scans.read`; general rate limit. Changes nothing, so it is repeated after any failure that
		 * may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		compliance(input: ScansComplianceInput, options?: CallOptions): Call<ComplianceReport>;
		/**
		 * Cancel a scan.
		 *
		 * Ends it within seconds; what it has found so far stays. A scan that has ended is answered as it is.
		 *
		 * `POST /scans/:id/cancel`: needs a session or an API key or the global API key or a master key;
		 * permission `scans.cancel`; general rate limit. Repeating it has the effect of one, so it is repeated
		 * after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		cancel(input: ScansCancelInput, options?: CallOptions): Call<Scan>;
		/**
		 * Follow a scan.
		 *
		 * Server-sent events: `progress` with the scan, at most once a second and with a growing `id`, then
		 * `done` with the finished scan, and the end. A comment every 15 seconds keeps the connection.
		 * `Last-Event-ID` resumes.
		 *
		 * `GET /scans/:id/events`: needs a session or an API key or the global API key or a master key;
		 * permission `scans.read`; general rate limit. Repeated after any failure that may pass, and resumed
		 * after the last event where a connection ends early.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		events(input: ScansEventsInput, options?: CallOptions): AsyncIterable<ServerEvent<Scan>>;
		/**
		 * Waits until a scan is finished and resolves with it, whatever its status.
		 *
		 * Follows the events of the scan, or polls where they do not come through. Many waits share one poll. A
		 * rate limit is waited out, and a service that is away for a while.
		 *
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {TimeoutError} when `timeoutMs` is over
		 * @throws {AbortError} when the signal is aborted
		 */
		wait: WaitForScan;
	};
	readonly findings: {
		/**
		 * List findings.
		 *
		 * Newest first. Without `scan`: as things stand now, over all scans.
		 *
		 * `GET /findings`: needs a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Changes nothing, so it is repeated after any failure that may
		 * pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: FindingsListInput, options?: CallOptions): ListCall<Finding>;
		/**
		 * Count findings.
		 *
		 * How many, by severity, status, project and rule.
		 *
		 * `GET /findings/summary`: needs a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Changes nothing, so it is repeated after any failure
		 * that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		summary(input?: FindingsSummaryInput, options?: CallOptions): Call<FindingSummary>;
		/**
		 * Export findings.
		 *
		 * As SARIF 2.1.0, as OCSF 1.4 Compliance Findings (NDJSON), as CSV or as NDJSON of what `GET /findings`
		 * shows. Streamed, of any size: an answer that ends before its last chunk was cut and is not whole.
		 *
		 * `GET /findings/export`: needs a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Repeated after any failure that may pass until its first piece has
		 * come; what breaks off after that ends with a `ConnectionError`.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		export(input?: FindingsExportInput, options?: CallOptions): AsyncIterable<string>;
		/**
		 * Get a finding.
		 *
		 * With the values that decided, and what mends it.
		 *
		 * `GET /findings/:id`: needs a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Changes nothing, so it is repeated after any failure that may
		 * pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: FindingsGetInput, options?: CallOptions): Call<Finding>;
	};
	readonly mutes: {
		/**
		 * List mutes.
		 *
		 * Newest first, those that have expired included unless `active` says otherwise.
		 *
		 * `GET /mutes`: needs a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Changes nothing, so it is repeated after any failure that may
		 * pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: MutesListInput, options?: CallOptions): ListCall<Mute>;
		/**
		 * Mute findings.
		 *
		 * One finding by its fingerprint, or all that fit a selector, those of later scans included. A mute
		 * changes no status: it is looked up whenever findings are read, so it begins, ends and is lifted at
		 * once.
		 *
		 * `POST /mutes`: needs a session or an API key or the global API key or a master key; permission
		 * `findings.mute`; general rate limit. Sent with an Idempotency-Key, so it is repeated after any failure
		 * that may pass and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: MutesCreateInput, options?: KeyedCallOptions): Call<Mute>;
		/**
		 * Lift a mute.
		 *
		 * Its findings count again at once.
		 *
		 * `DELETE /mutes/:id`: needs a session or an API key or the global API key or a master key; permission
		 * `findings.mute`; general rate limit. Repeating it has the effect of one, so it is repeated after any
		 * failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: MutesDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly rules: {
		/**
		 * List rules.
		 *
		 * Those of the product, and those of your tenant (category `custom`) that are enabled, in the order of
		 * their ids.
		 *
		 * `GET /rules`: needs a session or an API key or the global API key or a master key; permission
		 * `rules.read`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: RulesListInput, options?: CallOptions): ListCall<Rule>;
		/**
		 * Get a rule.
		 *
		 * What it checks, why, what mends a violation, and which requirements it stands for.
		 *
		 * `GET /rules/:id`: needs a session or an API key or the global API key or a master key; permission
		 * `rules.read`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: RulesGetInput, options?: CallOptions): Call<Rule>;
	};
	readonly customRules: {
		/**
		 * List custom rules.
		 *
		 * Newest first.
		 *
		 * `GET /custom-rules`: needs a session or an API key or the global API key or a master key; permission
		 * `rules.read`; licensed feature `custom_rules`; general rate limit. Changes nothing, so it is repeated
		 * after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: CustomRulesListInput, options?: CallOptions): ListCall<CustomRule>;
		/**
		 * Create a custom rule.
		 *
		 * A condition in CEL on assets of some types; a tenant has up to 100. It is compiled and its embedded
		 * tests are run first; what does not hold is refused with its place.
		 *
		 * `POST /custom-rules`: needs a session or an API key or the global API key or a master key; permission
		 * `rules.write`; licensed feature `custom_rules`; general rate limit. Sent with an Idempotency-Key, so it
		 * is repeated after any failure that may pass and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: CustomRulesCreateInput, options?: KeyedCallOptions): Call<CustomRule>;
		/**
		 * Replace a custom rule.
		 *
		 * Under the same id; scans that were launched before go on with the rule as it was.
		 *
		 * `PUT /custom-rules/:id`: needs a session or an API key or the global API key or a master key;
		 * permission `rules.write`; licensed feature `custom_rules`; general rate limit. Repeating it has the
		 * effect of one, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: CustomRulesUpdateInput, options?: CallOptions): Call<CustomRule>;
		/**
		 * Delete a custom rule.
		 *
		 * The next scan resolves its findings as `rule_retired`.
		 *
		 * `DELETE /custom-rules/:id`: needs a session or an API key or the global API key or a master key;
		 * permission `rules.write`; licensed feature `custom_rules`; general rate limit. Repeating it has the
		 * effect of one, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: CustomRulesDeleteInput, options?: CallOptions): Call<void>;
		/**
		 * Try a custom rule.
		 *
		 * Compiles it, runs its embedded tests, and with a project evaluates it on the inventory in force, for
		 * some seconds at most. Nothing is saved.
		 *
		 * `POST /custom-rules/test`: needs a session or an API key or the global API key or a master key;
		 * permission `rules.write`; licensed feature `custom_rules`; rate limit `preflight` of 10 in 60 s besides
		 * the general one. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		test(input: CustomRulesTestInput, options?: CallOptions): Call<RuleTrial>;
	};
	readonly profiles: {
		/**
		 * List profiles.
		 *
		 * Whole in one answer.
		 *
		 * `GET /profiles`: needs a session or an API key or the global API key or a master key; permission
		 * `rules.read`; general rate limit. Changes nothing, so it is repeated after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: NoInput, options?: CallOptions): ListCall<Profile>;
		/**
		 * Create a profile.
		 *
		 * A choice of rules with parameters, under a name that begins with `custom:`; a tenant has up to 100.
		 * Where it names rules that are deleted later, the others stay chosen.
		 *
		 * `POST /profiles`: needs a session or an API key or the global API key or a master key; permission
		 * `rules.write`; general rate limit. Sent with an Idempotency-Key, so it is repeated after any failure
		 * that may pass and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: ProfilesCreateInput, options?: KeyedCallOptions): Call<Profile>;
		/**
		 * Replace a profile.
		 *
		 * Scans that were launched before go on with the rules as they were.
		 *
		 * `PUT /profiles/:name`: needs a session or an API key or the global API key or a master key; permission
		 * `rules.write`; general rate limit. Repeating it has the effect of one, so it is repeated after any
		 * failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`,
		 * `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: ProfilesUpdateInput, options?: CallOptions): Call<Profile>;
		/**
		 * Delete a profile.
		 *
		 * Scans that were launched with it keep their rules.
		 *
		 * `DELETE /profiles/:name`: needs a session or an API key or the global API key or a master key;
		 * permission `rules.write`; general rate limit. Repeating it has the effect of one, so it is repeated
		 * after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: ProfilesDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly meta: {
		/**
		 * Is the process alive?
		 *
		 * For the liveness probe of an orchestrator: looks at nothing but the process itself.
		 *
		 * `GET /health/live`: needs no credential; outside all rate limits. Changes nothing, so it is repeated
		 * after any failure that may pass, except after an answer that is no problem document.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INTERNAL`
		 */
		live(input?: NoInput, options?: CallOptions): Call<Health>;
		/**
		 * Can the process serve?
		 *
		 * Unavailable while the database is out of reach, behind in migrations, or the process is draining.
		 *
		 * `GET /health/ready`: needs no credential; outside all rate limits. Changes nothing, so it is repeated
		 * after any failure that may pass, except after an answer that is no problem document.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INTERNAL`
		 * @throws {UnavailableError} `HTTP_503`
		 */
		ready(input?: NoInput, options?: CallOptions): Call<Health>;
		/**
		 * This document.
		 *
		 * The OpenAPI 3.1 document of the service as it runs.
		 *
		 * `GET /openapi.json`: needs no credential; general rate limit. Changes nothing, so it is repeated after
		 * any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {ApiError} `INTERNAL`
		 */
		openapi(input?: NoInput, options?: CallOptions): Call<Record<string, JsonValue>>;
		/**
		 * What a problem means.
		 *
		 * The page that `type` of every error points to.
		 *
		 * `GET /problems/:code`: needs no credential; general rate limit. Changes nothing, so it is repeated
		 * after any failure that may pass.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {ApiError} `INTERNAL`
		 */
		problem(input: MetaProblemInput, options?: CallOptions): Call<ProblemPage>;
	};
}
/** What `auth.login` takes. */
export interface AuthLoginInput {
	/** Such as `ada@example.com`. */
	readonly email: string;
	/** Such as `correct horse battery staple`. */
	readonly password: string;
	/** The code of the authenticator, where one is enrolled; good once. Such as `287082`. */
	readonly totp?: string | undefined;
	/** In the place of `totp`, when the authenticator is lost; good once. */
	readonly recoveryCode?: string | undefined;
	/** The tenant to enter; left out: the one used last, else the oldest membership. */
	readonly tenantId?: string | undefined;
}
/** What `auth.refresh` takes. */
export interface AuthRefreshInput {
	/** Such as `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	readonly refreshToken: string;
}
/** What `auth.logout` takes. */
export interface AuthLogoutInput {
	/** Such as `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	readonly refreshToken: string;
}
/** What `auth.register` takes. */
export interface AuthRegisterInput {
	/** Such as `ada@example.com`. */
	readonly email: string;
	/**
	 * 12 characters or more, at most 72 bytes in UTF-8, none of the most common passwords, not your own name or
	 * address. Such as `correct horse battery staple`.
	 */
	readonly password: string;
	/** Such as `Ada Lovelace`. */
	readonly name?: string | undefined;
	/** Such as `Example Ltd`. */
	readonly tenantName: string;
}
/** What `auth.verifyEmail` takes. */
export interface AuthVerifyEmailInput {
	/** Out of the link in the mail: good for one use. Such as `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	readonly token: string;
}
/** What `auth.resendVerification` takes. */
export interface AuthResendVerificationInput {
	/** Such as `ada@example.com`. */
	readonly email: string;
}
/** What `auth.forgotPassword` takes. */
export interface AuthForgotPasswordInput {
	/** Such as `ada@example.com`. */
	readonly email: string;
}
/** What `auth.resetPassword` takes. */
export interface AuthResetPasswordInput {
	/** Out of the link in the mail: good for one use. Such as `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	readonly token: string;
	/**
	 * 12 characters or more, at most 72 bytes in UTF-8, none of the most common passwords, not your own name or
	 * address. Such as `correct horse battery staple`.
	 */
	readonly password: string;
}
/** What `auth.acceptInvite` takes. */
export interface AuthAcceptInviteInput {
	/** Out of the link in the mail: good for one use. Such as `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	readonly token: string;
}
/** What `auth.changePassword` takes. */
export interface AuthChangePasswordInput {
	/** Such as `the one before`. */
	readonly currentPassword: string;
	/**
	 * 12 characters or more, at most 72 bytes in UTF-8, none of the most common passwords, not your own name or
	 * address. Such as `correct horse battery staple`.
	 */
	readonly newPassword: string;
}
/** What `auth.google` takes. */
export interface AuthGoogleInput {
	/** The ID token. Such as `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDc2OSJ9.c2lnbmF0dXJl`. */
	readonly credential: string;
}
/** What `auth.exchange` takes. */
export interface AuthExchangeInput {
	/** Such as `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	readonly code: string;
}
/** What `twoFactor.setup` takes. */
export interface TwoFactorSetupInput {
	/**
	 * Your password; may be left out in a session younger than 5 minutes. Such as `correct horse battery
	 * staple`.
	 */
	readonly password?: string | undefined;
}
/** What `twoFactor.enable` takes. */
export interface TwoFactorEnableInput {
	/** The code that the authenticator shows. Such as `287082`. */
	readonly code: string;
}
/** What `twoFactor.verify` takes. */
export interface TwoFactorVerifyInput {
	/** The code that the authenticator shows, or a recovery code. Such as `287082`. */
	readonly code: string;
}
/** What `twoFactor.disable` takes. */
export interface TwoFactorDisableInput {
	/**
	 * Your password; may be left out in a session younger than 5 minutes. Such as `correct horse battery
	 * staple`.
	 */
	readonly password?: string | undefined;
	/** The code that the authenticator shows, or a recovery code. Such as `287082`. */
	readonly code: string;
}
/** What `twoFactor.recoveryCodes` takes. */
export interface TwoFactorRecoveryCodesInput {
	/**
	 * Your password; may be left out in a session younger than 5 minutes. Such as `correct horse battery
	 * staple`.
	 */
	readonly password?: string | undefined;
	/** The code that the authenticator shows, or a recovery code. Such as `287082`. */
	readonly code: string;
}
/** What `sessions.list` takes. */
export interface SessionsListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `sessions.revoke` takes. */
export interface SessionsRevokeInput {
	/** The session, by its id. */
	readonly id: string;
}
/** What `apiKeys.list` takes. */
export interface ApiKeysListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** Whose keys; needs `admin.users` unless it is yourself. */
	readonly userId?: string | undefined;
}
/** What `apiKeys.create` takes. */
export interface ApiKeysCreateInput {
	/** Such as `nightly pipeline`. */
	readonly name: string;
	/** In the future; left out: the key does not expire. RFC 3339, in UTC. */
	readonly expiresAt?: string | undefined;
}
/** What `apiKeys.revoke` takes. */
export interface ApiKeysRevokeInput {
	/** The key, by its id. */
	readonly id: string;
}
/** What `users.list` takes. */
export interface UsersListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `users.create` takes. */
export interface UsersCreateInput {
	/** Such as `ada@example.com`. */
	readonly email: string;
	/** Such as `Ada Lovelace`. */
	readonly name?: string | undefined;
	/**
	 * A built-in role or one of your tenant, holding no permission that you do not hold yourself. Such as
	 * `release-manager`.
	 */
	readonly role: string;
}
/** What `users.get` takes. */
export interface UsersGetInput {
	/** The user. */
	readonly id: string;
}
/** What `users.update` takes. */
export interface UsersUpdateInput {
	/** The user. */
	readonly id: string;
	/** Such as `Ada Lovelace`. */
	readonly name?: string | undefined;
	/**
	 * A built-in role or one of your tenant, holding no permission that you do not hold yourself. Such as
	 * `release-manager`.
	 */
	readonly role?: string | undefined;
	readonly status?: "active" | "disabled" | undefined;
}
/** What `users.delete` takes. */
export interface UsersDeleteInput {
	/** The user. */
	readonly id: string;
}
/** What `roles.create` takes. */
export interface RolesCreateInput {
	/** Such as `release-manager`. */
	readonly name: string;
	/**
	 * What whoever has the role may do. You can put in no more than you hold yourself. Such as
	 * `["scans.read","scans.launch"]`.
	 */
	readonly permissions: readonly ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
}
/** What `roles.update` takes. */
export interface RolesUpdateInput {
	/** The role. Such as `release-manager`. */
	readonly name: string;
	/**
	 * What whoever has the role may do. You can put in no more than you hold yourself. Such as
	 * `["scans.read","scans.launch"]`.
	 */
	readonly permissions: readonly ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
}
/** What `roles.delete` takes. */
export interface RolesDeleteInput {
	/** The role. Such as `release-manager`. */
	readonly name: string;
}
/** What `tenant.update` takes. */
export interface TenantUpdateInput {
	/** Such as `Example Ltd`. */
	readonly name?: string | undefined;
	readonly settings?: {
		/** Preflight warns of an inventory that is as old as that. Default 24. From 1 to 8760. Such as `24`. */
		readonly inventoryMaxAgeHours?: number | undefined;
		/** How long a finding is muted where no end is given. Default 90. From 1 to 3650. Such as `90`. */
		readonly muteDefaultDays?: number | undefined;
		/** Domains that rules take for your own. Default none. Such as `["example.com"]`. */
		readonly allowedDomains?: readonly string[] | undefined;
	} | undefined;
}
/** What `saml.putSettings` takes. */
export interface SamlPutSettingsInput {
	/** In the place of `entityId`, `ssoUrl` and `certificates`. */
	readonly metadataXml?: string | undefined;
	/** Such as `https://idp.example.com/saml`. */
	readonly entityId?: string | undefined;
	/**
	 * Where the provider takes requests by the HTTP-Redirect binding: an https address. Such as
	 * `https://idp.example.com/saml/sso`.
	 */
	readonly ssoUrl?: string | undefined;
	/** X.509 certificates as PEM or as base64, with RSA keys of 2048 bits or more. */
	readonly certificates?: readonly string[] | undefined;
	/** The provider may sign in people with addresses of these domains alone. Such as `["example.com"]`. */
	readonly emailDomains: readonly string[];
	/**
	 * What newcomers become. It holds no `admin.*` permission, and none that you do not hold yourself. Such as
	 * `release-manager`.
	 */
	readonly defaultRole: string;
}
/** What `auditEvents.list` takes. */
export interface AuditEventsListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** By any of these people, by id, or any of these kinds of credential. Such as `["api_key"]`. */
	readonly actor?: OneOrMany<string> | undefined;
	/** Any of these. */
	readonly action?: OneOrMany<"auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "saml.settings_changed" | "saml.settings_deleted" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "scan.launched" | "scan.cancelled" | "mute.created" | "mute.deleted" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used"> | undefined;
	/** At this moment or later. RFC 3339, in UTC. */
	readonly from?: string | undefined;
	/** Before this moment. RFC 3339, in UTC. */
	readonly to?: string | undefined;
}
/** What `auditEvents.export` takes. */
export interface AuditEventsExportInput {
	/** By any of these people, by id, or any of these kinds of credential. Such as `["api_key"]`. */
	readonly actor?: OneOrMany<string> | undefined;
	/** Any of these. */
	readonly action?: OneOrMany<"auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "saml.settings_changed" | "saml.settings_deleted" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "scan.launched" | "scan.cancelled" | "mute.created" | "mute.deleted" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used"> | undefined;
	/** At this moment or later. RFC 3339, in UTC. */
	readonly from?: string | undefined;
	/** Before this moment. RFC 3339, in UTC. */
	readonly to?: string | undefined;
}
/** What `projects.list` takes. */
export interface ProjectsListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `projects.create` takes. */
export interface ProjectsCreateInput {
	/** Such as `shop-prod`. */
	readonly name: string;
	/** Such as `The web shop, production`. */
	readonly description?: string | undefined;
}
/** What `projects.get` takes. */
export interface ProjectsGetInput {
	/** The project. Such as `shop-prod`. */
	readonly name: string;
}
/** What `projects.update` takes. */
export interface ProjectsUpdateInput {
	/** The project. Such as `shop-prod`. */
	readonly name: string;
	/** Null takes it away. Such as `The web shop, production`. */
	readonly description?: string | null | undefined;
}
/** What `projects.delete` takes. */
export interface ProjectsDeleteInput {
	/** The project. Such as `shop-prod`. */
	readonly name: string;
}
/** What `projects.inventories` takes. */
export interface ProjectsInventoriesInput {
	/** The project. Such as `shop-prod`. */
	readonly name: string;
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `projects.uploadInventory` takes. */
export interface ProjectsUploadInventoryInput {
	/** The project. Such as `shop-prod`. */
	readonly name: string;
	readonly inventory: InventorySource;
}
/** What `preflight.run` takes. */
export interface PreflightRunInput {
	/** Names of projects; repeats count once. Such as `["shop-prod"]`. */
	readonly projects: readonly string[];
	/** Which rules to evaluate: a name from `GET /profiles`. Such as `full`. */
	readonly profile: string;
}
/** What `scans.list` takes. */
export interface ScansListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** Left out: all. */
	readonly status?: OneOrMany<"queued" | "running" | "completed" | "partial" | "failed" | "cancelled"> | undefined;
	/** Scans of any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** A batch of scans: one call instead of many. */
	readonly ids?: OneOrMany<string> | undefined;
}
/** What `scans.launch` takes. */
export interface ScansLaunchInput {
	/** Names of projects; repeats count once. Such as `["shop-prod"]`. */
	readonly projects: readonly string[];
	/** Which rules to evaluate: a name from `GET /profiles`. Such as `full`. */
	readonly profile: string;
}
/** What `scans.get` takes. */
export interface ScansGetInput {
	/** The scan. */
	readonly id: string;
}
/** What `scans.rules` takes. */
export interface ScansRulesInput {
	/** The scan. */
	readonly id: string;
}
/** What `scans.compliance` takes. */
export interface ScansComplianceInput {
	/** The scan. */
	readonly id: string;
	/** Which benchmark, in which version. Left out: "cis-gcp-4.0". */
	readonly framework?: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0" | undefined;
}
/** What `scans.cancel` takes. */
export interface ScansCancelInput {
	/** The scan. */
	readonly id: string;
}
/** What `scans.events` takes. */
export interface ScansEventsInput {
	/** The scan. */
	readonly id: string;
}
/** What `findings.list` takes. */
export interface FindingsListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** In any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** Left out: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** Left out: all. */
	readonly status?: OneOrMany<"open" | "resolved"> | undefined;
	/** Of any of these rules, by id. Such as `["bucket-public"]`. */
	readonly rule?: OneOrMany<string> | undefined;
	/** What that scan saw or resolved, with its `delta`. */
	readonly scan?: string | undefined;
	/** Only those that are muted now, or only those that are not. */
	readonly muted?: boolean | undefined;
}
/** What `findings.summary` takes. */
export interface FindingsSummaryInput {
	/** In any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
}
/** What `findings.export` takes. */
export interface FindingsExportInput {
	/** How they are written. Left out: "ndjson". */
	readonly format?: "sarif" | "ocsf" | "csv" | "ndjson" | undefined;
	/** In any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** Left out: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** Left out: all. */
	readonly status?: OneOrMany<"open" | "resolved"> | undefined;
	/** Of any of these rules, by id. Such as `["bucket-public"]`. */
	readonly rule?: OneOrMany<string> | undefined;
	/** What that scan saw or resolved, with its `delta`. */
	readonly scan?: string | undefined;
	/** Only those that are muted now, or only those that are not. */
	readonly muted?: boolean | undefined;
}
/** What `findings.get` takes. */
export interface FindingsGetInput {
	/** The finding. */
	readonly id: string;
}
/** What `mutes.list` takes. */
export interface MutesListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** Only those in force, or only those that have expired. */
	readonly active?: boolean | undefined;
}
/** What `mutes.create` takes. */
export interface MutesCreateInput {
	/** Such as `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`. */
	readonly fingerprint?: string | undefined;
	readonly selector?: {
		/** Such as `bucket-public`. */
		readonly ruleId?: string | undefined;
		/**
		 * The full name of an asset; `*` stands for any characters. Such as
		 * `//storage.googleapis.com/shop-static-*`.
		 */
		readonly asset?: string | undefined;
		/** Such as `shop-prod`. */
		readonly project?: string | undefined;
		/** A label of the asset: `key`, or `key=value`. Such as `env=test`. */
		readonly label?: string | undefined;
	} | undefined;
	/** Why this may stay as it is. Such as `A static site, public on purpose`. */
	readonly reason: string;
	/** In the future. Left out: after the days that the tenant has set, 90 at first. RFC 3339, in UTC. */
	readonly expiresAt?: string | undefined;
}
/** What `mutes.delete` takes. */
export interface MutesDeleteInput {
	/** The mute. */
	readonly id: string;
}
/** What `rules.list` takes. */
export interface RulesListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** Left out: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** In any of these categories. Such as `["storage"]`. */
	readonly category?: OneOrMany<string> | undefined;
}
/** What `rules.get` takes. */
export interface RulesGetInput {
	/** The rule. Such as `bucket-public`. */
	readonly id: string;
}
/** What `customRules.list` takes. */
export interface CustomRulesListInput {
	/** How many items to return. Left out: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the page before. Opaque. Such as `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `customRules.create` takes. */
export interface CustomRulesCreateInput {
	/** Left out: made of the title. Such as `bucket-has-owner`. */
	readonly id?: string | undefined;
	/** Such as `Bucket without an owner`. */
	readonly title: string;
	/** Such as `Every bucket names its team in the label owner.`. */
	readonly description: string | "";
	readonly severity: Severity;
	/** Such as `["storage.googleapis.com/Bucket"]`. */
	readonly assetTypes: readonly string[];
	/**
	 * CEL; true: the asset violates the rule. `resource.data` is the content of the asset, whose members are
	 * also directly below `resource`; `iam_policy` the policy on it; `asset` its `name`, `type` and
	 * `ancestors`; `now` the moment of the scan. Besides the functions of CEL and those of its extension for
	 * strings there are `isPublic(x)` for a member, a list of them or a policy, `coversInternet(x)` for a
	 * range, a list of them or a firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`, which
	 * is null for a database flag that is not set. What is not in the inventory makes the verdict UNKNOWN; ask
	 * with `has()` first. Numbers are doubles. Such as `!has(resource.data.labels) ||
	 * !has(resource.data.labels.owner)`.
	 */
	readonly predicate: string;
	/** Such as `Set the label owner.`. */
	readonly recommendation: string | "";
	/** Whether `full` and the profiles that include it evaluate it. Left out: true. */
	readonly enabled?: boolean | undefined;
	/**
	 * What the rule is to say of these assets; it is refused if it says otherwise. Left out: []. Such as
	 * `[{"asset":{"name":"//storage.googleapis.com/shop-uploads","asset_type":"storage.googleapis.com/Bucket","resource":{"data":{"labels":{}}}},"verdict":"fail"}]`.
	 */
	readonly tests?: readonly {
		/** A record as an export has it. */
		readonly asset: Record<string, JsonValue>;
		readonly verdict: "pass" | "fail" | "unknown";
	}[] | undefined;
}
/** What `customRules.update` takes. */
export interface CustomRulesUpdateInput {
	/** The rule. Such as `bucket-has-owner`. */
	readonly id: string;
	/** Such as `Bucket without an owner`. */
	readonly title: string;
	/** Such as `Every bucket names its team in the label owner.`. */
	readonly description: string | "";
	readonly severity: Severity;
	/** Such as `["storage.googleapis.com/Bucket"]`. */
	readonly assetTypes: readonly string[];
	/**
	 * CEL; true: the asset violates the rule. `resource.data` is the content of the asset, whose members are
	 * also directly below `resource`; `iam_policy` the policy on it; `asset` its `name`, `type` and
	 * `ancestors`; `now` the moment of the scan. Besides the functions of CEL and those of its extension for
	 * strings there are `isPublic(x)` for a member, a list of them or a policy, `coversInternet(x)` for a
	 * range, a list of them or a firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`, which
	 * is null for a database flag that is not set. What is not in the inventory makes the verdict UNKNOWN; ask
	 * with `has()` first. Numbers are doubles. Such as `!has(resource.data.labels) ||
	 * !has(resource.data.labels.owner)`.
	 */
	readonly predicate: string;
	/** Such as `Set the label owner.`. */
	readonly recommendation: string | "";
	/** Whether `full` and the profiles that include it evaluate it. Left out: true. */
	readonly enabled?: boolean | undefined;
	/**
	 * What the rule is to say of these assets; it is refused if it says otherwise. Left out: []. Such as
	 * `[{"asset":{"name":"//storage.googleapis.com/shop-uploads","asset_type":"storage.googleapis.com/Bucket","resource":{"data":{"labels":{}}}},"verdict":"fail"}]`.
	 */
	readonly tests?: readonly {
		/** A record as an export has it. */
		readonly asset: Record<string, JsonValue>;
		readonly verdict: "pass" | "fail" | "unknown";
	}[] | undefined;
}
/** What `customRules.delete` takes. */
export interface CustomRulesDeleteInput {
	/** The rule. Such as `bucket-has-owner`. */
	readonly id: string;
}
/** What `customRules.test` takes. */
export interface CustomRulesTestInput {
	readonly rule: {
		/** Left out: made of the title. Such as `bucket-has-owner`. */
		readonly id?: string | undefined;
		/** Such as `Bucket without an owner`. */
		readonly title: string;
		/** Such as `Every bucket names its team in the label owner.`. */
		readonly description: string | "";
		readonly severity: Severity;
		/** Such as `["storage.googleapis.com/Bucket"]`. */
		readonly assetTypes: readonly string[];
		/**
		 * CEL; true: the asset violates the rule. `resource.data` is the content of the asset, whose members are
		 * also directly below `resource`; `iam_policy` the policy on it; `asset` its `name`, `type` and
		 * `ancestors`; `now` the moment of the scan. Besides the functions of CEL and those of its extension for
		 * strings there are `isPublic(x)` for a member, a list of them or a policy, `coversInternet(x)` for a
		 * range, a list of them or a firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`,
		 * which is null for a database flag that is not set. What is not in the inventory makes the verdict
		 * UNKNOWN; ask with `has()` first. Numbers are doubles. Such as `!has(resource.data.labels) ||
		 * !has(resource.data.labels.owner)`.
		 */
		readonly predicate: string;
		/** Such as `Set the label owner.`. */
		readonly recommendation: string | "";
		/** Whether `full` and the profiles that include it evaluate it. Left out: true. */
		readonly enabled?: boolean | undefined;
		/**
		 * What the rule is to say of these assets; it is refused if it says otherwise. Left out: []. Such as
		 * `[{"asset":{"name":"//storage.googleapis.com/shop-uploads","asset_type":"storage.googleapis.com/Bucket","resource":{"data":{"labels":{}}}},"verdict":"fail"}]`.
		 */
		readonly tests?: readonly {
			/** A record as an export has it. */
			readonly asset: Record<string, JsonValue>;
			readonly verdict: "pass" | "fail" | "unknown";
		}[] | undefined;
	};
	/** On whose inventory to try it. Such as `shop-prod`. */
	readonly project?: string | undefined;
}
/** What `profiles.create` takes. */
export interface ProfilesCreateInput {
	/** Such as `custom:web-tier`. */
	readonly name: string;
	/**
	 * Rules by id (`*` stands for any characters), or `category:…`, `severity:…`, `framework:…`, `profile:…`.
	 * Those that your tenant has written have the category `custom`. Such as
	 * `["category:storage","category:kms","severity:critical"]`.
	 */
	readonly include: readonly string[];
	/** Rules to leave out, named likewise. Left out: []. Such as `["bucket-logging"]`. */
	readonly exclude?: readonly string[] | undefined;
	/**
	 * By rule id: parameters that are not to be at their default. Unknown ones are refused. Left out: {}. Such
	 * as `{"kms-rotation-90d":{"days":30}}`.
	 */
	readonly parameters?: Record<string, Record<string, JsonValue>> | undefined;
}
/** What `profiles.update` takes. */
export interface ProfilesUpdateInput {
	/** The profile. Such as `custom:web-tier`. */
	readonly name: string;
	/**
	 * Rules by id (`*` stands for any characters), or `category:…`, `severity:…`, `framework:…`, `profile:…`.
	 * Those that your tenant has written have the category `custom`. Such as
	 * `["category:storage","category:kms","severity:critical"]`.
	 */
	readonly include: readonly string[];
	/** Rules to leave out, named likewise. Left out: []. Such as `["bucket-logging"]`. */
	readonly exclude?: readonly string[] | undefined;
	/**
	 * By rule id: parameters that are not to be at their default. Unknown ones are refused. Left out: {}. Such
	 * as `{"kms-rotation-90d":{"days":30}}`.
	 */
	readonly parameters?: Record<string, Record<string, JsonValue>> | undefined;
}
/** What `profiles.delete` takes. */
export interface ProfilesDeleteInput {
	/** The profile. Such as `custom:web-tier`. */
	readonly name: string;
}
/** What `meta.problem` takes. */
export interface MetaProblemInput {
	/** The code in kebab case. */
	readonly code: "validation-failed" | "invalid-token" | "tenant-required" | "break-glass-reason-required" | "unauthorized" | "invalid-credentials" | "totp-required" | "invalid-code" | "registration-closed" | "forbidden" | "credential-not-allowed" | "reauth-required" | "mfa-required" | "feature-not-licensed" | "not-found" | "method-not-allowed" | "conflict" | "idempotency-key-in-use" | "payload-too-large" | "unsupported-media-type" | "idempotency-key-mismatch" | "preflight-blocked" | "rate-limited" | "internal" | "auth-unavailable" | "service-unavailable";
}
/** What went wrong (RFC 9457). */
export interface Problem {
	/** Such as `/problems/validation-failed`. */
	type: string;
	title: string;
	status: number;
	detail: string;
	code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	/** Also in the header `X-Correlation-ID`; quote it to support. */
	correlationId: string;
	/** VALIDATION_FAILED: every fault with its place. */
	errors?: {
		path: string;
		message: string;
	}[];
	/** FORBIDDEN: the permission that is missing. */
	permission?: string;
	/** CREDENTIAL_NOT_ALLOWED: the kinds taken here. */
	accepts?: string[];
	/** FEATURE_NOT_LICENSED: the feature. */
	feature?: string;
	/** RATE_LIMITED: the name of the limit. */
	limit?: string;
	/** PREFLIGHT_BLOCKED: the checks that failed. */
	checks?: {
		project: string | null;
		id: string;
		code: string;
		message: string;
		remediation: string;
	}[];
}
/** A session: a short-lived access token and what renews it. */
export interface Tokens {
	/**
	 * Send it as `Authorization: Bearer …`. Such as
	 * `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5YzJhNCJ9.c2lnbmF0dXJl`.
	 */
	accessToken: string;
	/** Good for one use at `POST /auth/refresh`. Such as `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	refreshToken: string;
	tokenType: "Bearer";
	/** Life of the access token in seconds. Such as `900`. */
	expiresIn: number;
}
/** What happens next, whoever asks. */
export interface Accepted {
	/** Such as `Follow the link in the mail.`. */
	message: string;
}
/** Who the credential stands for, where, and what it may do. */
export interface Identity {
	user: {
		id: string;
		/** Such as `ada@example.com`. */
		email: string;
		/** Such as `Ada Lovelace`. */
		name: string | null;
		emailVerified: boolean;
		twoFactorEnabled: boolean;
	} | null;
	tenant: {
		id: string;
		/** Such as `Example Ltd`. */
		name: string;
		features: ("sso" | "custom_rules" | "audit_export")[];
	};
	/** Such as `admin`. */
	role: string;
	permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
	credential: {
		kind: "jwt" | "api_key" | "global_api_key" | "master_key";
		/** Whether the session has passed a second factor. */
		mfa: boolean;
		/** RFC 3339, in UTC. */
		expiresAt: string | null;
	};
	memberships: {
		tenantId: string;
		/** Such as `Example Ltd`. */
		tenantName: string;
		/** Such as `admin`. */
		role: string;
	}[];
}
/** A secret that waits to be confirmed. */
export interface TwoFactorSetup {
	/** Base32, for typing in. Such as `JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP`. */
	secret: string;
	/**
	 * The same as an address, for a QR code. Such as
	 * `otpauth://totp/CSPM:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=CSPM`.
	 */
	otpauthUri: string;
}
/** What opens the account when the authenticator is lost. */
export interface RecoveryCodes {
	/** Each good once in the place of a code. Shown this once; only their hashes are kept. */
	recoveryCodes: string[];
}
/** A sign-in that can still be used. */
export interface Session {
	id: string;
	/** The tenant that was entered. */
	tenantId: string;
	/** Whether this request came from it. */
	current: boolean;
	/** Whether it has passed a second factor. */
	mfa: boolean;
	/** When it was opened. RFC 3339, in UTC. */
	createdAt: string;
	/** When it was last renewed. RFC 3339, in UTC. */
	lastUsedAt: string;
	/** When it ends, unless it is renewed before. RFC 3339, in UTC. */
	expiresAt: string;
}
/** A key for automation. It carries the current permissions of its owner. */
export interface ApiKey {
	id: string;
	/** Such as `nightly pipeline`. */
	name: string;
	/** The beginning of the key, enough to recognise it. Such as `cspm_8Fq2LmZx71Ba`. */
	prefix: string;
	userId: string;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	expiresAt: string | null;
	/** Kept to the minute. RFC 3339, in UTC. */
	lastUsedAt: string | null;
}
/** A key just made, with its secret. */
export interface NewApiKey {
	id: string;
	/** Such as `nightly pipeline`. */
	name: string;
	/** The beginning of the key, enough to recognise it. Such as `cspm_8Fq2LmZx71Ba`. */
	prefix: string;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	expiresAt: string | null;
	/**
	 * The key itself. Shown this once; only its hash is kept. Such as
	 * `cspm_8Fq2LmZx71Ba_4Nd9Yt0Kc7Wp2Xs5Vr8Gh1Jq6Zm3Lb0Te9Ua4Ei7Of2Dy5`.
	 */
	key: string;
}
/** A member of your tenant. */
export interface User {
	id: string;
	/** Such as `ada@example.com`. */
	email: string;
	/** What your tenant calls the person. Such as `Ada Lovelace`. */
	name: string | null;
	/** Such as `analyst`. */
	role: string;
	/** `invited` until the person confirms; only `active` members get in. */
	status: "invited" | "active" | "disabled";
	/** False as long as the person is invited. */
	twoFactorEnabled: boolean;
	/** The last sign-in to your tenant. RFC 3339, in UTC. */
	lastLoginAt: string | null;
	/** When the person was invited to your tenant. RFC 3339, in UTC. */
	createdAt: string;
}
/** A set of permissions that members can be given. */
export interface Role {
	/** Such as `release-manager`. */
	name: string;
	/** Such as `["scans.read","scans.launch"]`. */
	permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
	/** Built-in roles are the same in every tenant and never change. Such as `false`. */
	builtIn: boolean;
}
/** Your tenant. */
export interface Tenant {
	id: string;
	/** Such as `Example Ltd`. */
	name: string;
	features: ("sso" | "custom_rules" | "audit_export")[];
	settings: TenantSettings;
}
/** What the administrators of a tenant have set. */
export interface TenantSettings {
	/** Preflight warns of an inventory that is as old as that. Default 24. Such as `24`. */
	inventoryMaxAgeHours: number;
	/** How long a finding is muted where no end is given. Default 90. Such as `90`. */
	muteDefaultDays: number;
	/** Domains that rules take for your own. Default none. Such as `["example.com"]`. */
	allowedDomains: string[];
}
/** The SAML identity provider of your tenant. */
export interface SamlSettings {
	/** Changes whenever the settings are put. */
	id: string;
	/** Such as `https://idp.example.com/saml`. */
	entityId: string;
	/**
	 * Where the provider takes requests by the HTTP-Redirect binding: an https address. Such as
	 * `https://idp.example.com/saml/sso`.
	 */
	ssoUrl: string;
	/**
	 * What the provider signs with: X.509 certificates as PEM (RFC 7468). Such as `["-----BEGIN
	 * CERTIFICATE-----\nMIIC…\n-----END CERTIFICATE-----\n"]`.
	 */
	certificates: string[];
	/** The provider may sign in people with addresses of these domains alone. Such as `["example.com"]`. */
	emailDomains: string[];
	/**
	 * What newcomers become. It holds no `admin.*` permission, and none that you do not hold yourself. Such as
	 * `release-manager`.
	 */
	defaultRole: string;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** What the provider has to know of this service. */
	serviceProvider: {
		/**
		 * Such as `https://posture.example.com/auth/saml/metadata?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27`.
		 */
		entityId: string;
		/** Such as `https://posture.example.com/auth/saml/acs`. */
		acsUrl: string;
		/**
		 * Such as `https://posture.example.com/auth/saml/metadata?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27`.
		 */
		metadataUrl: string;
		/**
		 * Where people of the tenant begin to sign in. Such as
		 * `https://posture.example.com/auth/saml/login?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27`.
		 */
		loginUrl: string;
	};
}
/** What happened, by whom, from where. */
export interface AuditEvent {
	id: string;
	/** RFC 3339, in UTC. */
	at: string;
	/** Such as `api_key.created`. */
	action: string;
	outcome: "success" | "failure";
	actor: {
		/** The kind of credential, or `person`. Such as `jwt`. */
		kind: string;
		/** The person; null: nobody in particular, or nobody known. */
		id: string | null;
		/** A name for it; null once the person is erased. Such as `ada@example.com`. */
		label: string | null;
	};
	tenantId: string;
	/** The tenant acted upon, where it is another one. */
	targetTenantId: string | null;
	/** Such as `198.51.100.7`. */
	ip: string;
	/** Such as `0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11`. */
	correlationId: string;
	/** What it was done to: an id or a name. Such as `0199c2a4-9b60-7d41-a3f2-58c1e7d90b36`. */
	subject: string | null;
	/** Such as `{"name":"nightly pipeline"}`. */
	detail: Record<string, JsonValue>;
}
/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | {
	[key: string]: JsonValue;
};
/** What is scanned as one: a cloud project and its inventory. */
export interface Project {
	id: string;
	/** Such as `shop-prod`. */
	name: string;
	/** Such as `The web shop, production`. */
	description: string | null;
	/** The inventory in force: what the next scan looks at. Null: none was uploaded yet. */
	inventory: {
		id: string;
		/** Such as `214`. */
		assets: number;
		/** RFC 3339, in UTC. */
		createdAt: string;
	} | null;
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** A snapshot of the resources of a project. */
export interface Inventory {
	id: string;
	/** Assets after records of the same asset were merged. Such as `214`. */
	assets: number;
	assetTypes: {
		/** Such as `storage.googleapis.com/Bucket`. */
		type: string;
		/** Such as `12`. */
		count: number;
	}[];
	/** Size of the upload, inflated. Such as `1048576`. */
	bytes: number;
	/**
	 * What was set right on the way in; at most the first 100. Such as `[{"line":17,"message":"The RESOURCE
	 * content of this record is not used: line 4 is newer."}]`.
	 */
	warnings: {
		line: number;
		message: string;
	}[];
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** Whether a scan would start, and what stands in its way. */
export interface Preflight {
	decision: "ready" | "ready_with_warnings" | "blocked";
	profile: {
		name: string;
		/** SHA-256 over the rules, versions and parameters; null: unknown profile. */
		digest: string | null;
		ruleCount: number;
	};
	projects: {
		name: string;
		checks: PreflightCheck[];
	}[];
	estimate: {
		assets: number;
		/** At most; a rule is evaluated on the assets of its types alone. */
		evaluations: number;
		/** A rough guess at the time on one worker. */
		seconds: number;
	};
	limits: {
		projectsPerScan: number;
		launchesPerMinute: number;
	};
	/** How long the answer is worth relying on. RFC 3339, in UTC. */
	expiresAt: string;
}
/** One check of a preflight. */
export interface PreflightCheck {
	id: "profile.known" | "project.known" | "project.duplicate" | "source.attached" | "source.parseable" | "source.scope" | "source.freshness" | "coverage.types" | "coverage.iam" | "estimate" | "permission" | "quota.scans" | "rate.remaining" | "conflict.active" | "mutes.expiring" | "baseline";
	status: "pass" | "warn" | "fail" | "skip";
	/** A stable word for the outcome. Such as `INVENTORY_MISSING`. */
	code: string;
	/** Such as `The project has no inventory.`. */
	message: string;
	/**
	 * What mends it; empty when there is nothing to mend. Such as `Upload one with PUT
	 * /projects/shop-prod/inventory.`.
	 */
	remediation: string;
}
/** An evaluation of posture rules on the inventories of projects. */
export interface Scan {
	id: string;
	/** `partial`: some project failed, some completed. */
	status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled";
	/** Such as `full`. */
	profile: string;
	/** SHA-256 over the rules, versions and parameters evaluated. */
	profileDigest: string;
	projects: {
		/** Such as `shop-prod`. */
		name: string;
		status: "queued" | "running" | "completed" | "failed" | "cancelled";
		assets: number;
		evaluations: number;
		findings: number;
		error: string | null;
	}[];
	totals: {
		assets: number;
		evaluations: number;
		pass: number;
		fail: number;
		unknown: number;
		/** Findings seen by this scan. */
		bySeverity: {
			critical: number;
			high: number;
			medium: number;
			low: number;
			info: number;
		};
	};
	/** Against what earlier scans of the same projects had found. */
	delta: {
		new: number;
		resolved: number;
		reopened: number;
		unchanged: number;
	};
	/**
	 * How much of the profile the inventories could answer; null until the scan has ended. `GET
	 * /scans/:id/rules` says what is missing.
	 */
	coverage: {
		/** Rules of the profile. */
		rules: number;
		/** Rules that passed or failed for some asset. */
		decided: number;
		/** Rules that could say nothing but UNKNOWN: the inventory lacks what they need. */
		undecided: number;
		/** Rules that met no asset to which they apply. */
		unmet: number;
	} | null;
	createdBy: {
		/** Such as `api_key`. */
		kind: string;
		/** The person; null: a credential that stands for nobody. */
		id: string | null;
		/** Such as `ada@example.com`. */
		label: string;
	};
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	startedAt: string | null;
	/** RFC 3339, in UTC. */
	finishedAt: string | null;
}
/** Verdicts of one rule in a scan, over the assets of its types. */
export interface RuleCount {
	/** Such as `bucket-public`. */
	ruleId: string;
	/** Such as `11`. */
	pass: number;
	/** Such as `1`. */
	fail: number;
	/** Such as `0`. */
	na: number;
	/** Such as `2`. */
	unknown: number;
	/**
	 * What the UNKNOWN verdicts would have taken: asset types, or kinds of content. Such as `["IAM_POLICY"]`.
	 */
	missing: string[];
}
/** What a scan says of each requirement. */
export interface ComplianceReport {
	framework: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0";
	scan: string;
	/** Requirements by status. */
	summary: {
		pass: number;
		fail: number;
		unknown: number;
		na: number;
		manual: number;
	};
	/** Every requirement of the framework, in its order. */
	requirements: {
		/** Such as `5.1`. */
		id: string;
		/** In our words; the benchmark itself is under copyright. */
		title: string;
		/** Such as `Storage`. */
		section: string;
		/** How the benchmark wants the requirement to be assessed. */
		assessment: "automated" | "manual";
		/**
		 * `fail`: some asset violates it. `unknown`: the inventory, or the profile of the scan, cannot decide it.
		 * `na`: nothing that it applies to. `manual`: only a person can tell.
		 */
		status: "pass" | "fail" | "unknown" | "na" | "manual";
		rules: RuleCount[];
	}[];
}
/** How bad it is, worst first. */
export type Severity = "critical" | "high" | "medium" | "low" | "info";
/** A fault of an asset that somebody should act on. */
export interface Finding {
	id: string;
	/** The same for the same fault of the same asset, from scan to scan. */
	fingerprint: string;
	/** Such as `bucket-public`. */
	ruleId: string;
	title: string;
	severity: Severity;
	status: "open" | "resolved";
	/** Against the scan before; with filter `scan`, as that scan saw it. */
	delta: "new" | "unchanged" | "reopened" | "resolved";
	/** Such as `shop-prod`. */
	project: string;
	asset: {
		/** Such as `//storage.googleapis.com/shop-uploads`. */
		name: string;
		/** Such as `storage.googleapis.com/Bucket`. */
		type: string;
	};
	/** What of the asset is meant: a binding, a port; empty: the asset as a whole. */
	subject: string;
	message: string;
	/** The values that decided, each with its path in the asset; secrets redacted. */
	evidence: {
		path: string;
		value: JsonValue;
	}[];
	remediation: string;
	compliance: Compliance[];
	/** RFC 3339, in UTC. */
	firstSeenAt: string;
	/** RFC 3339, in UTC. */
	lastSeenAt: string;
	/** RFC 3339, in UTC. */
	resolvedAt: string | null;
	resolvedReason: "fixed" | "asset_gone" | "rule_retired" | null;
	muted: {
		reason: string;
		/** RFC 3339, in UTC. */
		expiresAt: string;
	} | null;
}
/** A requirement of a framework, by its number. */
export interface Compliance {
	/** Such as `cis-gcp-4.0`. */
	framework: string;
	/** Such as `5.1`. */
	id: string;
}
/** How many findings there are, by what they are grouped by. */
export interface FindingSummary {
	total: {
		open: number;
		resolved: number;
		/** Of the open ones. */
		muted: number;
	};
	bySeverity: {
		critical: {
			open: number;
			resolved: number;
			/** Of the open ones. */
			muted: number;
		};
		high: {
			open: number;
			resolved: number;
			/** Of the open ones. */
			muted: number;
		};
		medium: {
			open: number;
			resolved: number;
			/** Of the open ones. */
			muted: number;
		};
		low: {
			open: number;
			resolved: number;
			/** Of the open ones. */
			muted: number;
		};
		info: {
			open: number;
			resolved: number;
			/** Of the open ones. */
			muted: number;
		};
	};
	byProject: {
		/** Such as `shop-prod`. */
		project: string;
		open: number;
		resolved: number;
		/** Of the open ones. */
		muted: number;
	}[];
	byRule: {
		ruleId: string;
		severity: Severity;
		open: number;
		resolved: number;
		/** Of the open ones. */
		muted: number;
	}[];
}
/** Findings that somebody has decided to live with, until a day. */
export interface Mute {
	id: string;
	/** Such as `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`. */
	fingerprint: string | null;
	selector: MuteSelector | null;
	/** Such as `A static site, public on purpose`. */
	reason: string;
	/** RFC 3339, in UTC. */
	expiresAt: string;
	createdBy: {
		id: string | null;
		/** Such as `ada@example.com`. */
		label: string;
	};
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** Which findings a mute applies to: those that fit all that is said. */
export interface MuteSelector {
	/** Such as `bucket-public`. */
	ruleId?: string;
	/**
	 * The full name of an asset; `*` stands for any characters. Such as
	 * `//storage.googleapis.com/shop-static-*`.
	 */
	asset?: string;
	/** Such as `shop-prod`. */
	project?: string;
	/** A label of the asset: `key`, or `key=value`. Such as `env=test`. */
	label?: string;
}
/** A condition that assets should meet. */
export interface Rule {
	/** Such as `bucket-public`. */
	id: string;
	/** Such as `1`. */
	version: number;
	/** Such as `Bucket is public`. */
	title: string;
	severity: Severity;
	/** Such as `storage`. */
	category: string;
	/** Such as `["storage.googleapis.com/Bucket"]`. */
	assetTypes: string[];
	/** The content of an export without which the verdict is UNKNOWN. Such as `["IAM_POLICY"]`. */
	needs: string[];
	/** Such as `A bucket that gives a role to allUsers is open to the world.`. */
	description: string;
	/** Such as `Remove the grant, then rule it out with public access prevention.`. */
	remediation: string;
	compliance: Compliance[];
	/** What a profile of your tenant may set, at the default. Such as `{}`. */
	parameters: Record<string, JsonValue>;
}
/** A rule that a tenant has written. */
export interface CustomRule {
	/** Such as `bucket-has-owner`. */
	id: string;
	/** Counts up with every change of what it says. */
	version: number;
	title: string;
	description: string;
	severity: Severity;
	assetTypes: string[];
	predicate: string;
	recommendation: string;
	enabled: boolean;
	tests: {
		asset: Record<string, JsonValue>;
		verdict: "pass" | "fail" | "unknown";
	}[];
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	updatedAt: string;
}
/** What a rule would say, without saving anything. */
export interface RuleTrial {
	/** Of each embedded test, then of the assets of the project: at most 1,000 of them, violations first. */
	verdicts: ({
		asset: {
			name: string;
			type: string;
		};
		verdict: "pass" | "fail" | "unknown";
		/** Of an embedded test; null: an asset of the project. */
		expected: "pass" | "fail" | "unknown" | null;
		/** For `unknown`: what is missing. */
		message: string;
	})[];
	/** What is wrong with the rule, or with which test; empty: it may be saved. */
	errors: {
		path: string;
		message: string;
	}[];
	/** How many assets of the project it was evaluated on. */
	evaluated: number;
	/**
	 * False: the project has more assets of its types, which there was no time for, or more verdicts than are
	 * listed.
	 */
	complete: boolean;
}
/** A named set of rules. */
export interface Profile {
	/** Such as `full`. */
	name: string;
	/** Such as `Every rule`. */
	title: string;
	/** Such as `All that we know to look for.`. */
	description: string;
	/**
	 * SHA-256 over the rules, versions and parameters. Such as
	 * `9f2c6a1e0b7d43582f6c9e1a4b8d7035c2f1e6a9d0b3478596c7e8f1a2b3c4d5`.
	 */
	digest: string;
	/** Such as `64`. */
	ruleCount: number;
	/** Such as `["bucket-public","bucket-ubla"]`. */
	rules: string[];
	/** What your tenant has written; null: a profile of the product. */
	definition: {
		include: string[];
		exclude: string[];
		parameters: Record<string, Record<string, JsonValue>>;
	} | null;
}
/** The state of one server process. */
export interface Health {
	status: "ok" | "unavailable";
	/** Such as `{"database":"ok","migrations":"ok","traffic":"ok"}`. */
	checks: Record<string, "ok" | "failing">;
	/**
	 * The migrations that this release needs and that are not applied. Those of a later release do no harm.
	 * Such as `["20261120130000_scans_of_projects"]`.
	 */
	missing?: string[];
}
/** What a problem code means and what to do about it. */
export interface ProblemPage {
	code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	type: string;
	status: number;
	title: string;
	help: string;
}
/** One request that the client made, or tried to make, for a call: it has a status, or else an error. */
export interface Attempt {
	/** Status of the response; left out: there was none. */
	readonly status?: number;
	/** Why there was no response. */
	readonly error?: Error;
	/** How long the client waited before this attempt, in milliseconds. */
	readonly delayMs: number;
}
/** Codes of errors that no server sent. */
export type LocalCode = "ABORTED" | "CONNECTION_FAILED" | "INVALID_RESPONSE" | "TIMEOUT" | `HTTP_${number}`;
/** A problem code of the API, one of the client's own, or one that a later server has added. */
export type ErrorCode = Problem["code"] | LocalCode | (string & {});
/** What an error is made of. */
export interface ErrorDetails {
	readonly message: string;
	readonly code: ErrorCode;
	readonly attempts?: readonly Attempt[];
	readonly status?: number | undefined;
	readonly problem?: Problem | undefined;
	readonly correlationId?: string | undefined;
	readonly retryAfterMs?: number | undefined;
	readonly rateLimit?: readonly RateLimit[];
	readonly cause?: unknown;
}
/** Every failure of a call. The subclasses are the families of problems; the class itself is all other codes. */
export declare class ApiError extends Error {
	/** Status of the response; undefined: there was none. */
	readonly status: number | undefined;
	/** The problem's code, or `HTTP_<status>` where the response was no problem document. */
	readonly code: ErrorCode;
	/** The problem document (RFC 9457), if the response was one. */
	readonly problem: Problem | undefined;
	/** The name of the request in the server's logs; quote it to support. */
	readonly correlationId: string | undefined;
	/** Every request made for the call, the last one included. Empty: nothing was sent. */
	readonly attempts: readonly Attempt[];
	/** How long the server wants to be left alone, in milliseconds from the last response. */
	readonly retryAfterMs: number | undefined;
	/** The limits that the last response told of. */
	readonly rateLimit: readonly RateLimit[];
	constructor(details: ErrorDetails);
	get name(): string;
}
/** 429, or a call that pacing could not let out before its deadline (then `attempts` may be empty). */
export declare class RateLimitError extends ApiError {
	get name(): "RateLimitError";
}
/** 401: no valid credential, or a refused sign-in. */
export declare class UnauthorizedError extends ApiError {
	get name(): "UnauthorizedError";
}
/** 403: the credential is valid and may not do this. */
export declare class ForbiddenError extends ApiError {
	get name(): "ForbiddenError";
}
/** 403 `MFA_REQUIRED`: wants a session that has passed a second factor. */
export declare class MfaRequiredError extends ApiError {
	get name(): "MfaRequiredError";
}
/** 403 `FEATURE_NOT_LICENSED`: `problem.feature` names what the tenant lacks. */
export declare class FeatureNotLicensedError extends ApiError {
	get name(): "FeatureNotLicensedError";
}
/** 404. */
export declare class NotFoundError extends ApiError {
	get name(): "NotFoundError";
}
/** 409: in conflict with what exists. */
export declare class ConflictError extends ApiError {
	get name(): "ConflictError";
}
/** The Idempotency-Key is in use by a running request, or was used with another payload. */
export declare class IdempotencyError extends ApiError {
	get name(): "IdempotencyError";
}
/** 400 `VALIDATION_FAILED`: `problem.errors` lists each fault with its path. */
export declare class ValidationError extends ApiError {
	get name(): "ValidationError";
}
/** 502, 503, 504: the service, or something that it depends on, is out of reach. */
export declare class UnavailableError extends ApiError {
	get name(): "UnavailableError";
}
/** No response: the connection could not be made, or broke. */
export declare class ConnectionError extends ApiError {
	get name(): "ConnectionError";
}
/** An attempt, the whole call, or the caller's signal ran out of time. */
export declare class TimeoutError extends ApiError {
	get name(): "TimeoutError";
}
/** The caller aborted the call; `cause` is the signal's reason. */
export declare class AbortError extends ApiError {
	get name(): "AbortError";
}
/** What a call answered, with how it went. */
export interface WithResponse<T> {
	readonly data: T;
	/** The response; its body has been read. */
	readonly response: Response;
	/** The name of the request in the server's logs. */
	readonly correlationId: string | undefined;
	/** Every request made for the call, the successful one included. */
	readonly attempts: readonly Attempt[];
	/** How long the client waited between attempts in all, in milliseconds. */
	readonly retryDelayMs: number;
}
/** A call under way: a promise of its data. */
export interface Call<T> extends Promise<T> {
	/** The data together with the response and how the call went. */
	withResponse(): Promise<WithResponse<T>>;
}
/**
 * Makes a client of one service, with one credential or none.
 * @throws {TypeError} for a `baseUrl` that is no URL.
 */
export declare function createClient(options: ClientOptions): Cspm;

export {};
