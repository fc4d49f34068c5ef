import { child, isObject, type JsonObject, type JsonValue, text } from '../json.ts';
import { guarded, type UnknownPath } from '../terraform/unknown-value.ts';
import { ancestorsOf, assetTypeOf, contentOf, orgPoliciesOf, updateTimeOf } from './envelope.ts';

/**
 * An asset as rules see it, with a normalised envelope. The content is neither copied nor rewritten; fields with
 * several spellings are read through the functions in `facts/`, so an asset costs little more than its JSON.parse.
 */
export interface Asset {
  /** The full resource name, as in the export: `//service/path`. */
  readonly name: string;
  readonly type: string;
  /** From the project upwards: `projects/1`, `folders/2`, `organizations/3`. */
  readonly ancestors: readonly string[];
  /** RFC 3339, as in the export. */
  readonly updateTime: string | null;
  /** `resource.data`; null if the inventory has no RESOURCE content of the asset. */
  readonly data: JsonObject | null;
  /** Null if the inventory has no IAM_POLICY content of the asset, which is different from an empty policy. */
  readonly iamPolicy: JsonObject | null;
  readonly orgPolicies: readonly JsonObject[] | null;
  readonly accessPolicy: JsonObject | null;
  /**
   * The record itself, for a planned resource with values that are known only after apply. Reading such a value throws
   * an UnknownValue. Null for an existing asset.
   */
  readonly planned: string | null;
  /**
   * The asset with everything that apply may add to it, if the plan leaves that open: grants and parts with an unknown
   * target. Null if nothing can be added.
   */
  readonly possible: PossibleContent | null;
}

export interface PossibleContent {
  /** Null if unchanged. */
  readonly data: JsonObject | null;
  /** Null if unchanged. */
  readonly iamPolicy: JsonObject | null;
  /** A clause about the unknown part: "google_storage_bucket_iam_member.x may grant a role here: …". */
  readonly reason: string;
}

/**
 * Parses one record or several merged ones to an asset.
 *
 * @throws SyntaxError if `text` is not JSON; any JSON is accepted, and a member of the wrong type counts as absent
 */
export function parseAsset(json: string): Asset {
  const parsed: JsonValue = JSON.parse(json);
  const record = isObject(parsed) ? parsed : {};
  const type = assetTypeOf(record);
  const data = contentOf(record, 'RESOURCE')?.data;
  const iamPolicy = contentOf(record, 'IAM_POLICY');
  const unknowns = unknownPathsOf(record);
  return {
    name: text(record, 'name') ?? '',
    type: typeof type === 'string' ? type : '',
    ancestors: ancestorsOf(record),
    updateTime: updateTimeOf(record),
    data: isObject(data) ? guardedBy(unknowns, 'data', data) : null,
    iamPolicy: iamPolicy === null ? null : guardedBy(unknowns, 'iamPolicy', iamPolicy),
    orgPolicies: orgPoliciesOf(record),
    accessPolicy: contentOf(record, 'ACCESS_POLICY'),
    planned: unknowns === null ? null : json,
    possible: possibleContentOf(record, unknowns),
  };
}

function possibleContentOf(
  record: JsonObject,
  unknowns: readonly (readonly string[])[] | null,
): PossibleContent | null {
  const possible = child(record, 'possible_after_apply');
  if (possible === null) return null;
  const data = contentOf(possible, 'RESOURCE')?.data;
  const iamPolicy = contentOf(possible, 'IAM_POLICY');
  return {
    data: isObject(data) ? guardedBy(unknowns, 'possibleData', data) : null,
    iamPolicy: iamPolicy === null ? null : guardedBy(unknowns, 'possibleIamPolicy', iamPolicy),
    reason: text(possible, 'reason') ?? '',
  };
}

/** For a planned resource: the paths of values that are known only after apply. */
function unknownPathsOf(record: JsonObject): readonly (readonly string[])[] | null {
  const paths = record.unknown_after_apply;
  if (!Array.isArray(paths)) return null;
  return paths.map((path: JsonValue) =>
    Array.isArray(path) ? path.filter((name) => typeof name === 'string') : [],
  );
}

function guardedBy(
  unknowns: readonly (readonly string[])[] | null,
  root: UnknownPath[0],
  value: JsonObject,
): JsonObject {
  const below = unknowns?.filter((path) => path[0] === root).map((path) => path.slice(1)) ?? [];
  return below.length === 0 ? value : guarded(value, below);
}
