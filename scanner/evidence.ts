import type { JsonValue } from './json.ts';
import { sanitizeText } from './sanitize-text.ts';
import { looksLikeSecret } from './secret.ts';

/** A value that supports a verdict. A type alias, because an interface is not assignable to JSON types. */
export type Evidence = {
  /** Below `resource.data`, or starting at `iam_policy`: `settings.ipConfiguration.sslMode`. */
  readonly path: string;
  /** Null if the verdict is based on a missing value. */
  readonly value: JsonValue;
};

/** Maximum length of a stored value. */
export const ELEMENTS_MAX = 20;
const CHARACTERS_MAX = 300;

/**
 * Cites a value of the asset: truncated, storable, and with likely secrets removed. Objects are never cited, so a
 * finding shows only what its rule selects.
 *
 * @param count total number of elements, if `value` holds only the first ones
 */
export function cite(path: string, value: JsonValue | undefined, count?: number): Evidence {
  return { path, value: shown(value, count) };
}

function shown(value: JsonValue | undefined, count?: number): JsonValue {
  if (!Array.isArray(value)) return shownScalar(value);
  const elements = value.slice(0, ELEMENTS_MAX).map(shownScalar);
  const rest = (count ?? value.length) - elements.length;
  return rest === 0 ? elements : [...elements, `and ${rest} more`];
}

function shownScalar(value: JsonValue | undefined): JsonValue {
  if (value === undefined) return null;
  if (typeof value === 'string') {
    return looksLikeSecret(value) ? '[redacted]' : sanitizeText(value, CHARACTERS_MAX);
  }
  return typeof value === 'object' && value !== null ? '[not shown]' : value;
}
