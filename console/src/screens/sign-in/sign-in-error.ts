import { ApiError } from '@cspm/sdk';
import { errorText } from '../../lib/error-text.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** What to tell a person whose password or code was refused. */
export function signInError(
  error: unknown,
  refused = 'The e-mail address or the password is wrong.',
): string {
  const code = error instanceof ApiError ? error.code : undefined;
  return code === 'INVALID_CREDENTIALS' || code === 'INVALID_CODE' ? refused : errorText(error);
}
