import type { Problem } from './client.gen.ts';
import type { RateLimit } from './rate-limit.ts';

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
export type LocalCode =
  | 'ABORTED'
  | 'CONNECTION_FAILED'
  | 'INVALID_RESPONSE'
  | 'TIMEOUT'
  | `HTTP_${number}`;

/** A problem code of the API, one of the client's own, or one that a later server has added. */
export type ErrorCode = Problem['code'] | LocalCode | (string & {});

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
export class ApiError extends Error {
  /** Status of the response; undefined: there was none. */
  declare readonly status: number | undefined;
  /** The problem's code, or `HTTP_<status>` where the response was no problem document. */
  declare readonly code: ErrorCode;
  /** The problem document (RFC 9457), if the response was one. */
  declare readonly problem: Problem | undefined;
  /** The name of the request in the server's logs; quote it to support. */
  declare readonly correlationId: string | undefined;
  /** Every request made for the call, the last one included. Empty: nothing was sent. */
  declare readonly attempts: readonly Attempt[];
  /** How long the server wants to be left alone, in milliseconds from the last response. */
  declare readonly retryAfterMs: number | undefined;
  /** The limits that the last response told of. */
  declare readonly rateLimit: readonly RateLimit[];

  constructor(details: ErrorDetails) {
    super(details.message, details);
    Object.assign(this, { attempts: [], rateLimit: [] }, details);
  }

  // Names are getters, so that they survive a minifier, stand in the stack, and leave the classes free of side effects.
  override get name(): string {
    return 'ApiError';
  }
}

/** 429, or a call that pacing could not let out before its deadline (then `attempts` may be empty). */
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

/** 403 `MFA_REQUIRED`: wants a session that has passed a second factor. */
export class MfaRequiredError extends ApiError {
  override get name(): 'MfaRequiredError' {
    return 'MfaRequiredError';
  }
}

/** 403 `FEATURE_NOT_LICENSED`: `problem.feature` names what the tenant lacks. */
export class FeatureNotLicensedError extends ApiError {
  override get name(): 'FeatureNotLicensedError' {
    return 'FeatureNotLicensedError';
  }
}

/** 404. */
export class NotFoundError extends ApiError {
  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/** 409: in conflict with what exists. */
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

/** 502, 503, 504: the service, or something that it depends on, is out of reach. */
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

/** An attempt, the whole call, or the caller's signal ran out of time. */
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
