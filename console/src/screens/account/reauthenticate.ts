import { ApiError } from '@cspm/sdk';
import { errorText } from '../../lib/error-text.ts';

/** Whether the call needs the password because the session is not fresh. */
export function needsPassword(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'REAUTH_REQUIRED';
}

/** The failure of a call with a code and perhaps a password, for a person. */
export function proofError(error: unknown, passwordAsked: boolean): string | null {
  if (error === null) return null;
  if (needsPassword(error)) {
    return passwordAsked
      ? 'The password is wrong.'
      : 'Enter your password too: your sign-in is not recent.';
  }
  const isCode = error instanceof ApiError && error.code === 'INVALID_CODE';
  return isCode ? 'The code is not valid. Wait for the next one and try again.' : errorText(error);
}
