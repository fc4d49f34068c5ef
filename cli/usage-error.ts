/** A wrong command line or input. The message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
