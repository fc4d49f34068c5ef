import { PROBLEM_CODES, PROBLEMS } from '@cspm/contract';
import { describe, expect, test } from 'vitest';
import { errorFamily } from './error-family.ts';
import * as errors from './errors.ts';

describe('the family of a problem', () => {
  test.each([
    [401, 'UNAUTHORIZED', 'UnauthorizedError'],
    [401, 'INVALID_CREDENTIALS', 'UnauthorizedError'],
    [403, 'FORBIDDEN', 'ForbiddenError'],
    [403, 'CREDENTIAL_NOT_ALLOWED', 'ForbiddenError'],
    [403, 'MFA_REQUIRED', 'MfaRequiredError'],
    [403, 'FEATURE_NOT_LICENSED', 'FeatureNotLicensedError'],
    [404, 'NOT_FOUND', 'NotFoundError'],
    [409, 'CONFLICT', 'ConflictError'],
    [409, 'IDEMPOTENCY_KEY_IN_USE', 'IdempotencyError'],
    [422, 'IDEMPOTENCY_KEY_MISMATCH', 'IdempotencyError'],
    [400, 'VALIDATION_FAILED', 'ValidationError'],
    [429, 'RATE_LIMITED', 'RateLimitError'],
    [503, 'AUTH_UNAVAILABLE', 'UnavailableError'],
    [503, 'SERVICE_UNAVAILABLE', 'UnavailableError'],
    [422, 'PREFLIGHT_BLOCKED', 'PreflightBlockedError'],
    [500, 'INTERNAL', 'ApiError'],
    [502, 'HTTP_502', 'UnavailableError'],
    [403, 'A_CODE_OF_LATER', 'ForbiddenError'],
    [418, 'constructor', 'ApiError'],
  ])('%i %s is an instance of %s', (status, code, name) => {
    expect(errorFamily(status, code).name).toBe(name);
  });

  test('every code of the contract has a class of errors', () => {
    for (const code of PROBLEM_CODES) {
      const Family = errorFamily(PROBLEMS[code].status, code);
      expect(new Family({ message: 'm', code, attempts: [] })).toBeInstanceOf(errors.ApiError);
    }
  });
});

test('every error has the name of its class, even when minified, and in its stack', () => {
  for (const [name, Family] of Object.entries(errors)) {
    const error = new Family({ message: 'm', code: 'X', attempts: [] });
    expect(error.name).toBe(name);
    expect(error.stack).toMatch(new RegExp(`^${name}: m`));
    expect(error).toMatchObject({ rateLimit: [], attempts: [] });
  }
});
