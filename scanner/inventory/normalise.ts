import { isObject, type JsonObject, type JsonValue, text } from '../json.ts';
import { guarded, type UnknownPath } from '../terraform/unknown-value.ts';
import { ancestorsOf, assetTypeOf, contentOf, orgPoliciesOf, updateTimeOf } from './envelope.ts';

/**
 * An asset as rules see it: the envelope in one spelling. The content is not copied and not rewritten; what services
 * spell in several ways is read through the functions of `facts/`, so that an asset costs little more than its
 * JSON.parse.
 */
export interface Asset {
  /** The full resource name, as in the export: `//service/path`. */
  readonly name: string;
  readonly type: string;
  /** From the project outwards: `projects/1`, `folders/2`, `organizations/3`. */
  readonly ancestors: readonly string[];
  /** RFC 3339, as in the export. */
  readonly updateTime: string | null;
  /** `resource.data`; null where the inventory holds no RESOURCE content of the asset. */
  readonly data: JsonObject | null;
  /** Null where the inventory holds no IAM_POLICY content of the asset, which is not the same as an empty policy. */
  readonly iamPolicy: JsonObject | null;
  readonly orgPolicies: readonly JsonObject[] | null;
  readonly accessPolicy: JsonObject | null;
  /**
   * The record itself, of a planned resource of which some values are known after apply only. Their read throws an
   * UnknownValue. Null for an asset that is there.
   */
  readonly planned: string | null;
}

/**
 * The asset of one record or of merged ones.
 *
 * @throws SyntaxError if `text` is not JSON; any JSON is taken, a member of the wrong type as absent
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
  };
}

/** Of a planned resource: where its values are known after apply only. */
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
