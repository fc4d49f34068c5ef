/** The command line is not what it should be: told to the user with how it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
