import { child, isObject, type JsonObject, type JsonValue, strings, text } from '../json.ts';
import { sanitizeText } from '../sanitize-text.ts';

/** The kinds of content that a Cloud Asset Inventory export can contain (the `ContentType` of its API). */
export type ContentKind = 'RESOURCE' | 'IAM_POLICY' | 'ORG_POLICY' | 'ACCESS_POLICY';

/*
 * The outermost members of a record. `gcloud asset export` writes them in snake_case, `gcloud asset list` and the REST
 * API in camelCase; below `resource.data` both write the names of the service's own API.
 */

/** The members that hold each content type, in both spellings. ACCESS_POLICY has one of three members. */
export const MEMBERS_OF_KIND = {
  RESOURCE: ['resource'],
  IAM_POLICY: ['iam_policy', 'iamPolicy'],
  ORG_POLICY: ['org_policy', 'orgPolicy'],
  ACCESS_POLICY: [
    'access_policy',
    'accessPolicy',
    'access_level',
    'accessLevel',
    'service_perimeter',
    'servicePerimeter',
  ],
} as const satisfies Record<ContentKind, readonly string[]>;

export const CONTENT_KINDS: readonly ContentKind[] = [
  'RESOURCE',
  'IAM_POLICY',
  'ORG_POLICY',
  'ACCESS_POLICY',
];

export function assetTypeOf(record: JsonObject): JsonValue | undefined {
  return record.asset_type ?? record.assetType;
}

export function updateTimeOf(record: JsonObject): string | null {
  return text(record, 'update_time') ?? text(record, 'updateTime');
}

/**
 * The region, zone or multi-region of the resource in lower case, as exports write it for most types: `us-central1`,
 * `eu`, `global`. Null also for a text that cannot be one.
 */
export function locationOf(record: JsonObject): string | null {
  const resource = child(record, 'resource');
  const location = text(resource, 'location') ?? text(child(resource, 'data'), 'location');
  return location !== null && LOCATION.test(location) ? location.toLowerCase() : null;
}

const LOCATION = /^[\w.-]{1,64}$/;

/**
 * From the project upwards: `projects/1`, `folders/2`, `organizations/3`. A text that is too long or that cannot be
 * stored counts as absent: rules on projects name their findings after it.
 */
export function ancestorsOf(record: JsonObject): readonly string[] {
  const ancestors = strings(record, 'ancestors');
  return ancestors.every(isReference) ? ancestors : ancestors.filter(isReference);
}

/** References to projects, folders and organizations are far shorter. */
const REFERENCE_MAX = 200;

function isReference(text: string): boolean {
  return text.length <= REFERENCE_MAX && sanitizeText(text, REFERENCE_MAX) === text;
}

/** The description of the resource, the IAM policy or the access policy that the record holds, or null. */
export function contentOf(
  record: JsonObject,
  kind: Exclude<ContentKind, 'ORG_POLICY'>,
): JsonObject | null {
  for (const member of MEMBERS_OF_KIND[kind]) {
    const value = record[member];
    if (isObject(value)) return value;
  }
  return null;
}

/** The organization policies set on the asset, possibly an empty list; null if the record has none. */
export function orgPoliciesOf(record: JsonObject): readonly JsonObject[] | null {
  for (const member of MEMBERS_OF_KIND.ORG_POLICY) {
    const value = record[member];
    if (Array.isArray(value)) return value.filter(isObject);
  }
  return null;
}

export function kindsOf(record: JsonObject): readonly ContentKind[] {
  return CONTENT_KINDS.filter(
    (kind) => (kind === 'ORG_POLICY' ? orgPoliciesOf(record) : contentOf(record, kind)) !== null,
  );
}
