import type { ProblemCode } from '@cspm/contract';

/** The words of the first code of a name, where its own name is not the usual one. */
const FIRST: Partial<Record<ProblemCode, string>> = {
  VALIDATION_FAILED: 'BadRequest',
  IDEMPOTENCY_KEY_IN_USE: 'KeyInUse',
  IDEMPOTENCY_KEY_MISMATCH: 'KeyMismatch',
  CROSS_SITE_REQUEST: 'CrossSite',
  AUTH_UNAVAILABLE: 'Unavailable',
};

/** The words of the other codes, such as `Mfa` in `ForbiddenMfa`. A code that always follows another has none. */
const OTHERS: Partial<Record<ProblemCode, string>> = {
  INVALID_TOKEN: 'Token',
  TENANT_REQUIRED: 'Tenant',
  BREAK_GLASS_REASON_REQUIRED: '',
  INVALID_CREDENTIALS: 'Credentials',
  INVALID_CODE: 'Code',
  TOTP_REQUIRED: 'Totp',
  CREDENTIAL_NOT_ALLOWED: 'Credential',
  CROSS_SITE_REQUEST: 'CrossSite',
  CONFIRMATION_REQUIRED: 'Confirmation',
  REAUTH_REQUIRED: 'Reauth',
  MFA_REQUIRED: 'Mfa',
  FEATURE_NOT_LICENSED: 'Feature',
  SIGN_IN_CANCELLED: 'Cancelled',
  PREFLIGHT_BLOCKED: 'Preflight',
  SERVICE_UNAVAILABLE: '',
};

/** The name of the refusals with some codes, such as `Forbidden` and `ForbiddenMfa`. Code generators make types of it. */
export function refusalName([first, ...others]: readonly ProblemCode[]): string {
  const words = others.map((code) => OTHERS[code] ?? FIRST[code] ?? inCamelCase(code));
  return [first && (FIRST[first] ?? inCamelCase(first)), ...words].join('');
}

/** `RateLimited` for `RATE_LIMITED`; `ForbiddenScansRead` for `FORBIDDEN scans.read`. */
export function inCamelCase(text: string): string {
  const words = text.replace(/^[A-Z_]+/, (code) => code.toLowerCase()).split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}
