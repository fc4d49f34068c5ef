/** The words of the CEL evaluator for a field that is not there; our helpers fail in the same. */
const MISSING = 'field not found: ';

export function missingField(name: string): Error {
  return new Error(MISSING + name);
}

/** The name of the field that the failure is about; null where it is about something else. */
export function missingFieldOf(message: string): string | null {
  return message.startsWith(MISSING) ? message.slice(MISSING.length) : null;
}
