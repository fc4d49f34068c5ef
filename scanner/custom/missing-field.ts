/** The message of the CEL evaluator for a missing field; our helpers use the same. */
const MISSING = 'field not found: ';

export function missingField(name: string): Error {
  return new Error(MISSING + name);
}

/** The name of the missing field; null for any other error. */
export function missingFieldOf(message: string): string | null {
  return message.startsWith(MISSING) ? message.slice(MISSING.length) : null;
}
