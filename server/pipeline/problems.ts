import { PROBLEMS, type Problem, type ProblemCode, problemType } from '@cspm/contract';
import { isDatabaseUnavailable } from '../database/unavailable.ts';

type Members = Partial<
  Pick<Problem, 'errors' | 'permission' | 'accepts' | 'feature' | 'limit' | 'checks'>
>;

/** A refusal: one of the codes of the contract, with words for this case. Whoever throws it ends the request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly members: Members;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { members?: Members; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.members = options.members ?? {};
    this.headers = { ...DEFAULT_HEADERS[code], ...options.headers };
  }
}

const RETRY_AFTER_SECONDS = '1';

const DEFAULT_HEADERS: Partial<Record<ProblemCode, Record<string, string>>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': 'Bearer' },
  INVALID_CREDENTIALS: { 'WWW-Authenticate': 'Bearer' },
  TOTP_REQUIRED: { 'WWW-Authenticate': 'Bearer' },
  INVALID_CODE: { 'WWW-Authenticate': 'Bearer' },
  AUTH_UNAVAILABLE: { 'Retry-After': RETRY_AFTER_SECONDS },
  SERVICE_UNAVAILABLE: { 'Retry-After': RETRY_AFTER_SECONDS },
};

/**
 * The refusal that an error amounts to. What is not a refusal of ours becomes 503 when the database is out of reach and
 * 500 otherwise, in words of our own: no text of a library ever leaves.
 */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (isDatabaseUnavailable(error)) {
    return new ProblemError('SERVICE_UNAVAILABLE', 'The database is out of reach.', {
      cause: error,
    });
  }
  return new ProblemError('INTERNAL', 'An unexpected error. Nothing was changed.', {
    cause: error,
  });
}

/** The body of a refusal (RFC 9457 §3). */
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

/** The refusal for what is not there. A row of another tenant is told in the same words as one that never was. */
export function notFound(): ProblemError {
  return new ProblemError('NOT_FOUND', 'There is nothing of that path or id in your tenant.');
}

/** The refusal for input that does not fit, with every fault and its place. */
export function validationFailed(errors: { path: string; message: string }[]): ProblemError {
  const first = errors[0];
  const detail = first
    ? `${first.path}: ${first.message}`
    : 'The request does not fit the contract.';
  return new ProblemError('VALIDATION_FAILED', detail, { members: { errors } });
}
