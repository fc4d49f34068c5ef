import { cite, type Evidence } from '../evidence.ts';
import type { Asset } from '../inventory/normalise.ts';
import { isObject, type JsonValue } from '../json.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';

const FIELDS_MAX = 10;
const NAME_MAX = 1_000;

/** The values of the fields that a predicate names, as evidence. Objects are never shown. */
export function citeFields(
  paths: readonly (readonly string[])[],
  asset: Asset,
): readonly Evidence[] {
  const cited = new Map<string, Evidence>();
  for (const [variable, ...path] of paths) {
    const [content, segments, prefix] =
      variable === 'resource'
        ? [asset.data, path[0] === 'data' ? path.slice(1) : path, []]
        : [
            variable === 'asset' || variable === 'now' ? null : asset.iamPolicy,
            path,
            ['iam_policy'],
          ];
    if (content === null || segments.length === 0 || cited.size === FIELDS_MAX) continue;
    // A predicate can name a field with any characters: resource["\u0000"].
    const name = sanitizeText([...prefix, ...segments].join('.'), NAME_MAX);
    const value = knownValueAt(content, segments);
    if (value !== NOT_KNOWN) cited.set(name, cite(name, value));
  }
  return [...cited.values()];
}

const NOT_KNOWN = Symbol('not known');

function knownValueAt(
  content: JsonValue,
  segments: readonly string[],
): JsonValue | undefined | typeof NOT_KNOWN {
  try {
    return valueAt(content, segments);
  } catch (error) {
    if (error instanceof UnknownValue) return NOT_KNOWN;
    throw error;
  }
}

function valueAt(content: JsonValue, segments: readonly string[]): JsonValue | undefined {
  return segments.reduce<JsonValue | undefined>(
    (value, segment) =>
      isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined,
    content,
  );
}
