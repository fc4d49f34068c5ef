import { validationFailed } from '../../../platform/problem.ts';

const MIN_CHARACTERS = 12;
/** bcrypt ignores everything after this many bytes. */
const MAX_BYTES = 72;

/** A new password, where it is in the request, and names that it must not equal. */
export interface NewPassword {
  readonly path: string;
  readonly password: string;
  /** Names of its owner: e-mail address, display name, tenant. The password must not equal any of them. */
  readonly names: readonly (string | null | undefined)[];
}

/**
 * Checks a new password (NIST SP 800-63B §5.1.1.2): long enough, not a common password, not a name of its owner. No
 * rule about character classes.
 * @throws {ProblemError} VALIDATION_FAILED with the reason.
 */
export async function requireGoodPassword({ path, password, names }: NewPassword): Promise<void> {
  const refuse = (message: string) => validationFailed([{ path, message }]);
  if ([...password].length < MIN_CHARACTERS) {
    throw refuse(`must have at least ${MIN_CHARACTERS} characters`);
  }
  if (Buffer.byteLength(password) > MAX_BYTES) {
    throw refuse(
      `must have at most ${MAX_BYTES} bytes in UTF-8; accented letters and emoji take 2 to 4 bytes`,
    );
  }
  const lower = password.toLowerCase();
  if (names.some((name) => isName(lower, name))) {
    throw refuse('must not be your e-mail address or name');
  }
  if ((await commonPasswords()).has(lower)) {
    throw refuse('is one of the most common passwords');
  }
}

function isName(password: string, name: string | null | undefined): boolean {
  if (name === null || name === undefined) return false;
  const lower = name.toLowerCase();
  return password === lower || password === lower.split('@', 1)[0];
}

let common: Promise<ReadonlySet<string>> | null = null;

/** The packaged list of common passwords, without those that are too short to be accepted. Loaded on first use. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(
        dictionary['passwords-common']
          .filter((word) => word.length >= MIN_CHARACTERS)
          .map((word) => word.toLowerCase()),
      ),
  );
  return common;
}
