import type { Asset } from '../inventory/normalise.ts';
import { child, type JsonObject } from '../json.ts';
import { storable } from '../storable.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';

/** Google Cloud's own bounds: more labels on an asset, or longer ones, are nobody's labels. */
const LABELS_MAX = 64;
const CHARACTERS_MAX = 63;

/** The labels of an asset, where the inventory says them: bounded, and as a database can store them. */
export function labelsOf({ data }: Pick<Asset, 'data'>): Readonly<Record<string, string>> {
  const labels = entriesOf(data).filter(isLabel);
  // Not by assignment, to which a key `__proto__` is no key.
  return Object.fromEntries(labels.slice(0, LABELS_MAX));
}

/** A planned resource may have labels that are known only when it is there: it has none until then. */
function entriesOf(data: JsonObject | null): [string, unknown][] {
  try {
    return Object.entries(rawLabels(data) ?? {});
  } catch (error) {
    if (error instanceof UnknownValue) return [];
    throw error;
  }
}

/** GKE and Cloud SQL have names of their own for what all others call `labels`. */
function rawLabels(data: JsonObject | null): JsonObject | null {
  return (
    child(data, 'labels') ??
    child(data, 'resourceLabels') ??
    child(child(data, 'settings'), 'userLabels')
  );
}

function isLabel(entry: [string, unknown]): entry is [string, string] {
  const [key, value] = entry;
  return key !== '' && isPlain(key) && typeof value === 'string' && isPlain(value);
}

function isPlain(text: string): boolean {
  return storable(text, CHARACTERS_MAX) === text;
}
