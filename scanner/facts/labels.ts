import type { Asset } from '../inventory/normalise.ts';
import { child, type JsonObject } from '../json.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';

/** Google Cloud's own limits: input above them cannot be real labels. */
const LABELS_MAX = 64;
const CHARACTERS_MAX = 63;

/** The labels of an asset, if the inventory contains them: limited, and storable in the database. */
export function labelsOf({ data }: Pick<Asset, 'data'>): Readonly<Record<string, string>> {
  const labels = entriesOf(data).filter(isLabel);
  // An assignment would ignore a key `__proto__`.
  return Object.fromEntries(labels.slice(0, LABELS_MAX));
}

/** A planned resource may have labels that are known only after apply; they count as absent. */
function entriesOf(data: JsonObject | null): [string, unknown][] {
  try {
    return Object.entries(rawLabels(data) ?? {});
  } catch (error) {
    if (error instanceof UnknownValue) return [];
    throw error;
  }
}

/** GKE and Cloud SQL use other names for `labels`. */
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
  return sanitizeText(text, CHARACTERS_MAX) === text;
}
