import type { JsonValue } from './json.ts';
import { looksLikeSecret } from './secret.ts';
import { storable } from './storable.ts';

/** A value that a verdict rests on. Type aliases, unlike interfaces, are JSON to the compiler. */
export type Evidence = {
  /** Below `resource.data`, or from `iam_policy` on: `settings.ipConfiguration.sslMode`. */
  readonly path: string;
  /** Null where the verdict rests on the absence of a value. */
  readonly value: JsonValue;
};

/** How much of one value is kept. */
const ELEMENTS_MAX = 20;
const CHARACTERS_MAX = 300;

/**
 * Cites a value of the asset: bounded, storable, and with what looks like a secret left out. Objects are never cited,
 * so that nothing gets into a finding that its rule did not mean to show.
 */
export function cite(path: string, value: JsonValue | undefined): Evidence {
  return { path, value: shown(value) };
}

function shown(value: JsonValue | undefined): JsonValue {
  if (!Array.isArray(value)) return shownScalar(value);
  const elements = value.slice(0, ELEMENTS_MAX).map(shownScalar);
  const rest = value.length - elements.length;
  return rest === 0 ? elements : [...elements, `and ${rest} more`];
}

function shownScalar(value: JsonValue | undefined): JsonValue {
  if (value === undefined) return null;
  if (typeof value === 'string') {
    return looksLikeSecret(value) ? '[redacted]' : storable(value, CHARACTERS_MAX);
  }
  return typeof value === 'object' && value !== null ? '[not shown]' : value;
}
