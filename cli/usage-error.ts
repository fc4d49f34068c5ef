/** A wrong command line or input. The message says how to correct it. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** The command line is right, but what it names is not: how to write it would not help. */
export class InputError extends UsageError {
  override readonly name = 'InputError';
}
