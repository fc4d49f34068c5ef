import type { Problem } from './models.gen.ts';
import type { RateLimit } from './rate-limit.ts';

/** One request that the client made, or tried to make, for a call. It has either a status or an error. */
export interface Attempt {
  /** Status of the response. Omitted when there was none. */
  readonly status?: number;
  /** Why there was no response. */
  readonly error?: Error;
  /** How long the client waited before this attempt, in milliseconds. */
  readonly delayMs: number;
}

/** Codes of problems of the API. */
export type ProblemCode = Problem['code'];

/** Codes of errors that the client raises itself. */
export type LocalCode =
  | 'ABORTED'
  | 'CONNECTION_FAILED'
  | 'INVALID_RESPONSE'
  | 'TIMEOUT'
  | `HTTP_${number}`;

/** A problem code of the API, a code of the client, or one that a newer server has added. */
export type ErrorCode = ProblemCode | LocalCode | (string & {});

/** Marks errors of every copy of this package. */
const BRAND = Symbol.for('@cspm/sdk.ApiError');

/** The properties of an error. */
export interface ErrorDetails {
  readonly message: string;
  readonly code: string;
  readonly attempts?: readonly Attempt[];
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly correlationId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly rateLimit?: readonly RateLimit[];
  readonly headers?: Headers;
  readonly body?: string;
  readonly cause?: unknown;
}

/** Any failure of a call. Subclasses are families of problems; other codes use this class. */
export class ApiError extends Error {
  /** Status of the response; undefined when there was none. */
  declare readonly status: number | undefined;
  /** The problem's code, or `HTTP_<status>` when the response was not a problem document. */
  declare readonly code: ErrorCode;
  /** The problem document (RFC 9457), if the response was one. */
  declare readonly problem: Problem | undefined;
  /** Id of the request in the server's logs; include it in support requests. */
  declare readonly correlationId: string | undefined;
  /** Every request made for the call, including the last. Empty when nothing was sent. */
  declare readonly attempts: readonly Attempt[];
  /** How long the server asks to wait, in milliseconds from the last response. */
  declare readonly retryAfterMs: number | undefined;
  /** The rate limits in the last response. */
  declare readonly rateLimit: readonly RateLimit[];
  /**
   * The method of the client that failed, such as `scans.launch`; `auth.refresh` or `twoFactor.verify` when a token could
   * not be renewed for the call. Undefined when no request could be prepared.
   */
  declare readonly operation: string | undefined;
  /** HTTP method of the request. */
  declare readonly method: string | undefined;
  /** URL of the request. The values of its query are left out, so that it can be logged. */
  declare readonly url: string | undefined;
  /** Headers of the last response; undefined when there was none. */
  declare readonly headers: Headers | undefined;
  /** The beginning of the last response's body, at most 4,096 characters, such as the error page of a proxy. */
  declare readonly body: string | undefined;

  constructor(details: ErrorDetails) {
    super(details.message, details);
    Object.assign(this, { attempts: [], rateLimit: [] }, details);
    // No member of the class: copies of the package must have compatible types.
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Also recognizes errors of another copy of this package, for example of its CommonJS build. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: it is the class on the right of `instanceof`.
    const { prototype } = this;
    return (
      // biome-ignore lint/complexity/noThisInStatic: the usual check must see that class too.
      super[Symbol.hasInstance](error) ||
      (Object.hasOwn(prototype, 'name') &&
        BRAND in Object(error) &&
        ['ApiError', (error as Error).name].includes(prototype.name))
    );
  }

  // Names are getters, so that they survive minification, appear in the stack, and keep the classes free of side
  // effects.
  override get name(): string {
    return 'ApiError';
  }
}

/** 429, or a call that pacing could not send before its deadline (then `attempts` may be empty). */
export class RateLimitError extends ApiError {
  override get name(): 'RateLimitError' {
    return 'RateLimitError';
  }
}

/** 401: no valid credential, or a refused sign-in. */
export class UnauthorizedError extends ApiError {
  override get name(): 'UnauthorizedError' {
    return 'UnauthorizedError';
  }
}

/** 403: the credential is valid and may not do this. */
export class ForbiddenError extends ApiError {
  override get name(): 'ForbiddenError' {
    return 'ForbiddenError';
  }
}

/** 403 `MFA_REQUIRED`: requires a session that has passed a second factor. */
export class MfaRequiredError extends ApiError {
  override get name(): 'MfaRequiredError' {
    return 'MfaRequiredError';
  }
}

/** 403 `FEATURE_NOT_LICENSED`: `problem.feature` names the missing feature. */
export class FeatureNotLicensedError extends ApiError {
  override get name(): 'FeatureNotLicensedError' {
    return 'FeatureNotLicensedError';
  }
}

/** 422 `PREFLIGHT_BLOCKED`: `problem.checks` lists the failed checks. */
export class PreflightBlockedError extends ApiError {
  override get name(): 'PreflightBlockedError' {
    return 'PreflightBlockedError';
  }
}

/** 404: not found. */
export class NotFoundError extends ApiError {
  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/** 409: conflicts with the current state. */
export class ConflictError extends ApiError {
  override get name(): 'ConflictError' {
    return 'ConflictError';
  }
}

/** The Idempotency-Key is in use by a running request, or was used with another payload. */
export class IdempotencyError extends ApiError {
  override get name(): 'IdempotencyError' {
    return 'IdempotencyError';
  }
}

/** 400 `VALIDATION_FAILED`: `problem.errors` lists each fault with its path. */
export class ValidationError extends ApiError {
  override get name(): 'ValidationError' {
    return 'ValidationError';
  }
}

/** 502, 503, 504: the service or one of its dependencies is unavailable. */
export class UnavailableError extends ApiError {
  override get name(): 'UnavailableError' {
    return 'UnavailableError';
  }
}

/** No response: the connection could not be made, or broke. */
export class ConnectionError extends ApiError {
  override get name(): 'ConnectionError' {
    return 'ConnectionError';
  }
}

/** An attempt, the whole call, or the caller's signal timed out. */
export class TimeoutError extends ApiError {
  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }
}

/** The caller aborted the call; `cause` is the signal's reason. */
export class AbortError extends ApiError {
  override get name(): 'AbortError' {
    return 'AbortError';
  }
}
