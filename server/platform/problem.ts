import { PROBLEMS, type Problem, type ProblemCode, problemType } from '@cspm/contract';
import { TenantMovingError } from './cells/tenant-moving.ts';
import { ProcessUnavailable } from './child-process/process-unavailable.ts';
import { TenantOverloadedError } from './database/connection-shares.ts';
import {
  isConflict,
  isDatabaseUnavailable,
  isStatementCanceled,
  isTenantRefused,
} from './database/unavailable.ts';

type Members = Partial<
  Pick<
    Problem,
    | 'errors'
    | 'permission'
    | 'accepts'
    | 'feature'
    | 'confirmation'
    | 'limit'
    | 'health'
    | 'missing'
    | 'checks'
  >
>;

interface ProblemOptions {
  readonly members?: Members;
  readonly headers?: Record<string, string>;
  readonly audited?: Record<string, unknown>;
  readonly cause?: unknown;
}

/** A refusal with a problem code of the contract and a text for this case. Throwing it ends the request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly members: Members;
  readonly headers: Readonly<Record<string, string>>;
  /** Facts for the audit row of the refusal, which the response does not contain. */
  readonly audited: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.members = options.members ?? {};
    this.headers = { ...DEFAULT_HEADERS[code], ...options.headers };
    this.audited = options.audited ?? {};
  }
}

const RETRY_AFTER_SECONDS = '1';
/** Room for temporary files, or for processes, does not return within a second. */
const CAPACITY_AFTER_SECONDS = '30';

const DEFAULT_HEADERS: Partial<Record<ProblemCode, Record<string, string>>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': 'Bearer' },
  INVALID_CREDENTIALS: { 'WWW-Authenticate': 'Bearer' },
  TOTP_REQUIRED: { 'WWW-Authenticate': 'Bearer' },
  INVALID_CODE: { 'WWW-Authenticate': 'Bearer' },
  AUTH_UNAVAILABLE: { 'Retry-After': RETRY_AFTER_SECONDS },
  SERVICE_UNAVAILABLE: { 'Retry-After': RETRY_AFTER_SECONDS },
};

const TOOK_TOO_LONG =
  'A query in the database took too long and was canceled. If the request has filters, narrow them; otherwise try again later.';

const CONFLICT =
  'The request conflicted with another one that was changing the same data at the same time. Repeat it.';

export const TENANT_REFUSED =
  'The tenant accepts no changes: it is being deleted, or its data is being moved to another database. If it is moved, try again later.';

/**
 * Converts an error to a refusal. Other errors become 503 if the database is unavailable or has rolled back a conflicting
 * transaction, or if the system cannot start a process, else 500, with our own text: library messages are never sent to
 * clients.
 */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  // A client error, so it has no cause to log.
  if (error instanceof TenantOverloadedError || error instanceof TenantMovingError) {
    return new ProblemError('SERVICE_UNAVAILABLE', error.message);
  }
  if (isTenantRefused(error)) {
    return new ProblemError('SERVICE_UNAVAILABLE', TENANT_REFUSED);
  }
  if (isDatabaseUnavailable(error)) {
    const detail = isStatementCanceled(error) ? TOOK_TOO_LONG : 'The database is unreachable.';
    return new ProblemError('SERVICE_UNAVAILABLE', detail, { cause: error });
  }
  if (isConflict(error)) return new ProblemError('SERVICE_UNAVAILABLE', CONFLICT, { cause: error });
  if (error instanceof ProcessUnavailable) {
    return new ProblemError(
      'SERVICE_UNAVAILABLE',
      'The server has no capacity for this request at the moment. Try again later.',
      { headers: { 'Retry-After': CAPACITY_AFTER_SECONDS }, cause: error },
    );
  }
  return new ProblemError(
    'INTERNAL',
    'An unexpected error occurred. The request may have been applied in part.',
    {
      cause: error,
    },
  );
}

/** The body of a problem response (RFC 9457 §3). */
export function problemBody(problem: ProblemError, correlationId: string): Problem {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: problemType(problem.code),
    title,
    status,
    detail: problem.message,
    code: problem.code,
    correlationId,
    ...problem.members,
  };
}

/** The refusal for a missing resource. Rows of other tenants get the same text. */
export function notFound(): ProblemError {
  return new ProblemError(
    'NOT_FOUND',
    'The path does not exist, or your tenant has no resource with this id.',
  );
}

/** The refusal for invalid input, with every fault and its location. */
export function validationFailed(errors: { path: string; message: string }[]): ProblemError {
  const first = errors[0];
  const detail = first ? `${first.path}: ${first.message}` : 'The request is invalid.';
  return new ProblemError('VALIDATION_FAILED', detail, { members: { errors } });
}
