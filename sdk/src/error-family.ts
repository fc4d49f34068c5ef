import {
  ApiError,
  ConflictError,
  FeatureNotLicensedError,
  ForbiddenError,
  IdempotencyError,
  MfaRequiredError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';

/** By code; by status where the code has no family of its own, which holds for the responses of proxies too. */
const FAMILIES: ReadonlyMap<string | number, typeof ApiError> = new Map<
  string | number,
  typeof ApiError
>([
  ['VALIDATION_FAILED', ValidationError],
  ['MFA_REQUIRED', MfaRequiredError],
  ['FEATURE_NOT_LICENSED', FeatureNotLicensedError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [429, RateLimitError],
  [502, UnavailableError],
  [503, UnavailableError],
  [504, UnavailableError],
]);

/** The class of a refusal. */
export function errorFamily(status: number, code: string): typeof ApiError {
  if (/^IDEMPOTENCY_/.test(code)) return IdempotencyError;
  return FAMILIES.get(code) ?? FAMILIES.get(status) ?? ApiError;
}
