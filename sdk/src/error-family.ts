import {
  ApiError,
  ConflictError,
  FeatureNotLicensedError,
  ForbiddenError,
  IdempotencyError,
  MfaRequiredError,
  NotFoundError,
  PreflightBlockedError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';

/** By code, or by status for codes without their own family and for responses of proxies. */
const FAMILIES: ReadonlyMap<string | number, typeof ApiError> = new Map<
  string | number,
  typeof ApiError
>([
  ['VALIDATION_FAILED', ValidationError],
  ['MFA_REQUIRED', MfaRequiredError],
  ['FEATURE_NOT_LICENSED', FeatureNotLicensedError],
  ['PREFLIGHT_BLOCKED', PreflightBlockedError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [429, RateLimitError],
  [502, UnavailableError],
  [503, UnavailableError],
  [504, UnavailableError],
]);

/** The error class of a refused request. */
export function errorFamily(status: number, code: string): typeof ApiError {
  if (/^IDEMPOTENCY_/.test(code)) return IdempotencyError;
  return FAMILIES.get(code) ?? FAMILIES.get(status) ?? ApiError;
}
