import { invalidInput } from './url.ts';

/** Headers by name. Those that are false or undefined are not sent. */
type GivenHeaders = Readonly<Record<string, string | false | undefined>>;

/**
 * Adds headers, with their names in lower case. They are checked first, because `fetch` quotes a value that it refuses.
 * @throws {ValidationError} for a header that cannot be sent, with its name only: its value can be a secret.
 */
export function addHeaders(headers: Record<string, string>, given: GivenHeaders): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === false) continue;
    try {
      new Headers([[name, value]]);
    } catch {
      throw invalidInput(`${name} cannot be sent`);
    }
    headers[name.toLowerCase()] = value;
  }
}
