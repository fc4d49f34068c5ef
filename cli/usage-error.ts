/** A wrong command line or input. The message says how to correct it. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** The error of a command that is given none of its actions. */
export function unknownAction(name: string, actions: readonly string[]): UsageError {
  const fault = name === '' ? 'The action is missing.' : `Unknown action "${name}".`;
  return new UsageError(`${fault} Use one of: ${actions.join(', ')}.`);
}

/** The command line is right, but what it names is not: how to write it would not help. */
export class InputError extends UsageError {
  override readonly name = 'InputError';
}
