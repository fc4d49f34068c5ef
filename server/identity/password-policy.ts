import { validationFailed } from '../pipeline/problems.ts';

const LEAST_CHARACTERS = 12;
/** bcrypt reads no further: a longer password would be cut in silence. */
const MOST_BYTES = 72;

/** Where a new password stands in the request, and whose it will be. */
export interface NewPassword {
  readonly path: string;
  readonly password: string;
  /** What their owner is called: e-mail address, name, tenant. None of it is a password. */
  readonly names: readonly (string | null | undefined)[];
}

/**
 * Whether a password may be chosen (NIST SP 800-63B §5.1.1.2): long enough, not one that everybody tries, nor the name
 * of its owner; nothing is asked of the characters that it is made of.
 * @throws {ProblemError} VALIDATION_FAILED, saying why not.
 */
export async function requireGoodPassword({ path, password, names }: NewPassword): Promise<void> {
  const refuse = (message: string) => validationFailed([{ path, message }]);
  if ([...password].length < LEAST_CHARACTERS) {
    throw refuse(`must have ${LEAST_CHARACTERS} characters or more`);
  }
  if (Buffer.byteLength(password) > MOST_BYTES) {
    throw refuse(`must have ${MOST_BYTES} bytes or fewer in UTF-8`);
  }
  const lower = password.toLowerCase();
  if (names.some((name) => isName(lower, name))) {
    throw refuse('must not be your e-mail address or a name of yours');
  }
  if ((await commonPasswords()).has(lower)) {
    throw refuse('is among the most common passwords');
  }
}

function isName(password: string, name: string | null | undefined): boolean {
  if (name === null || name === undefined) return false;
  const lower = name.toLowerCase();
  return password === lower || password === lower.split('@', 1)[0];
}

let common: Promise<ReadonlySet<string>> | null = null;

/** The packaged list, as far as its entries are long enough to get here. Loaded when it is first asked. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(
        dictionary['passwords-common']
          .filter((word) => word.length >= LEAST_CHARACTERS)
          .map((word) => word.toLowerCase()),
      ),
  );
  return common;
}
