import { CONDITION_QUERIES, QUERY_MAX } from './facts/alert-policy.ts';
import { isCloudAssetApi } from './facts/enabled-service.ts';
import type { Asset } from './inventory/normalise.ts';
import {
  child,
  isObject,
  isTrue,
  type JsonObject,
  type JsonValue,
  objects,
  strings,
  text,
} from './json.ts';
import { FILTER_MAX } from './log-filter/filter.ts';

/** The part of `resource.data` that is kept; null if only the asset's own rules use it. */
type Trim = (data: JsonObject, asset: Asset) => JsonObject | null;

const OS_LOGIN_KEYS: readonly JsonValue[] = ['enable-oslogin', 'enable-oslogin-2fa'];

/*
 * One entry for each type that rules look up besides the evaluated asset. Only strings, numbers, booleans and the
 * members listed here are kept, so a reference asset is small and not deeply nested.
 */
const TRIMS: ReadonlyMap<string, Trim> = new Map<string, Trim>([
  ['cloudresourcemanager.googleapis.com/Project', hierarchyOf],
  ['cloudresourcemanager.googleapis.com/Folder', hierarchyOf],
  ['cloudresourcemanager.googleapis.com/Organization', hierarchyOf],
  ['compute.googleapis.com/Project', computeProjectOf],
  ['compute.googleapis.com/SslPolicy', sslPolicyOf],
  ['compute.googleapis.com/TargetHttpProxy', (proxy) => scalars(proxy, ['name', 'urlMap'])],
  ['compute.googleapis.com/RegionTargetHttpProxy', (proxy) => scalars(proxy, ['name', 'urlMap'])],
  ['dns.googleapis.com/Policy', dnsPolicyOf],
  ['essentialcontacts.googleapis.com/Contact', contactOf],
  ['logging.googleapis.com/LogMetric', logMetricOf],
  ['logging.googleapis.com/LogSink', sinkOf],
  ['monitoring.googleapis.com/AlertPolicy', alertPolicyOf],
  ['orgpolicy.googleapis.com/Policy', enforcementOf],
  ['serviceusage.googleapis.com/Service', serviceOf],
  ['storage.googleapis.com/Bucket', bucketOf],
]);

/**
 * Types of which the absence decides a verdict. Assets without content show that the verdict would not be certain, and
 * those of projects carry the findings on the project.
 */
const KEPT_WITHOUT_CONTENT: ReadonlySet<string> = new Set([
  'cloudresourcemanager.googleapis.com/Project',
  'compute.googleapis.com/Project',
  'compute.googleapis.com/RegionTargetHttpProxy',
  'compute.googleapis.com/TargetHttpProxy',
  'dns.googleapis.com/Policy',
  'essentialcontacts.googleapis.com/Contact',
  'logging.googleapis.com/LogMetric',
  'logging.googleapis.com/LogSink',
  'monitoring.googleapis.com/AlertPolicy',
  'serviceusage.googleapis.com/Service',
]);

/** Whether `referenceAssetOf` can return a result for this type. Assets of other types need not be parsed for it. */
export function isReferenceAssetType(type: string): boolean {
  return TRIMS.has(type);
}

/**
 * Extracts what rules on other assets, or on a whole project, need from this asset: a record in the shape of an export,
 * on one line, which `parseAsset` can read. A snapshot of a million assets has few of them; they are collected during
 * the upload and passed to the `Snapshot`.
 *
 * @param asset with all its records merged (after `mergeRecords`)
 * @returns null for an asset that no other depends on
 */
export function referenceAssetOf(asset: Asset): string | null {
  const trim = TRIMS.get(asset.type);
  if (trim === undefined) return null;
  if (asset.planned !== null) return asset.planned;
  const data = asset.data === null ? null : trim(asset.data, asset);
  const orgPolicies = asset.orgPolicies?.map(orgPolicyOf) ?? null;
  if (data === null && orgPolicies === null && !isKeptWithoutContent(asset)) return null;
  return JSON.stringify({
    asset_type: asset.type,
    name: asset.name,
    // Bucket names are globally unique, and bucket reference assets are the most numerous.
    ...(asset.type === 'storage.googleapis.com/Bucket' ? {} : { ancestors: asset.ancestors }),
    ...(data === null ? {} : { resource: { data } }),
    ...(orgPolicies === null ? {} : { org_policy: orgPolicies }),
  });
}

function isKeptWithoutContent(asset: Asset): boolean {
  if (asset.data !== null || !KEPT_WITHOUT_CONTENT.has(asset.type)) return false;
  return asset.type !== 'serviceusage.googleapis.com/Service' || isCloudAssetApi(asset);
}

/** Keeps the given members except objects and arrays. */
function scalars(data: JsonObject | null, members: readonly string[]): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const member of members) {
    const value = data?.[member];
    if (value !== undefined && value !== null && typeof value !== 'object') kept[member] = value;
  }
  return kept;
}

/** The parent of a project is `{ type, id }` in the API's first version, `folders/1` in the third. */
function hierarchyOf(container: JsonObject): JsonObject {
  const own = scalars(container, ['name', 'projectId', 'projectNumber', 'parent']);
  const parent = child(container, 'parent');
  return parent === null ? own : { ...own, parent: scalars(parent, ['type', 'id']) };
}

function computeProjectOf(project: JsonObject): JsonObject {
  const metadata = objects(child(project, 'commonInstanceMetadata'), 'items', 'item')
    .filter(({ key }) => OS_LOGIN_KEYS.includes(key ?? null))
    .map((item) => scalars(item, ['key', 'value']));
  return {
    ...scalars(project, ['name', 'defaultServiceAccount']),
    commonInstanceMetadata: { items: metadata },
  };
}

function sslPolicyOf(policy: JsonObject): JsonObject {
  return {
    ...scalars(policy, ['name', 'profile', 'minTlsVersion']),
    enabledFeatures: strings(policy, 'enabledFeatures', 'enabledFeature'),
    customFeatures: strings(policy, 'customFeatures', 'customFeature'),
  };
}

function dnsPolicyOf(policy: JsonObject): JsonObject {
  return {
    ...scalars(policy, ['name', 'enableLogging']),
    networks: objects(policy, 'networks').map((network) => scalars(network, ['networkUrl'])),
  };
}

function contactOf(contact: JsonObject): JsonObject {
  return {
    ...scalars(contact, ['validationState']),
    notificationCategorySubscriptions: strings(contact, 'notificationCategorySubscriptions'),
  };
}

function logMetricOf(metric: JsonObject): JsonObject {
  return { ...scalars(metric, ['name', 'disabled', 'bucketName']), ...filterOf(metric) };
}

function sinkOf(sink: JsonObject): JsonObject {
  return {
    ...scalars(sink, ['name', 'destination', 'disabled', 'includeChildren']),
    ...filterOf(sink),
    exclusions: objects(sink, 'exclusions').map((one) => scalars(one, ['disabled'])),
  };
}

/** Truncates an overlong filter so that it is still recognized as too long. */
function filterOf(data: JsonObject): JsonObject {
  const filter = text(data, 'filter');
  return filter === null ? {} : { filter: filter.slice(0, FILTER_MAX + 1) };
}

/** Keeps only policies for log-based metrics; most others are irrelevant. */
function alertPolicyOf(policy: JsonObject): JsonObject | null {
  const conditions = objects(policy, 'conditions').flatMap((condition) =>
    CONDITION_QUERIES.flatMap(([kind, member]) => {
      const query = text(child(condition, kind), member);
      return query?.includes('logging')
        ? [{ [kind]: { [member]: query.slice(0, QUERY_MAX + 1) } }]
        : [];
    }),
  );
  return conditions.length === 0 ? null : { ...scalars(policy, ['enabled']), conditions };
}

/** Keeps only the relevant one of a project's hundreds of services. */
function serviceOf(service: JsonObject, asset: Asset): JsonObject | null {
  return isCloudAssetApi(asset) ? scalars(service, ['name', 'state']) : null;
}

function bucketOf(bucket: JsonObject): JsonObject {
  const isLocked = isTrue(child(bucket, 'retentionPolicy'), 'isLocked');
  return isLocked ? { retentionPolicy: { isLocked } } : {};
}

/** An organization policy from an ORG_POLICY export, without lists of values. */
function orgPolicyOf(policy: JsonObject): JsonObject {
  const kept = scalars(policy, ['constraint']);
  const rule = policy.boolean_policy ?? policy.booleanPolicy;
  return isObject(rule) ? { ...kept, boolean_policy: scalars(rule, ['enforced']) } : kept;
}

/** An organization policy as a separate resource: its rules that enforce something or not, for any tags. */
function enforcementOf(policy: JsonObject): JsonObject {
  const spec = child(policy, 'spec');
  const rules = objects(spec, 'rules')
    .filter((rule) => child(rule, 'condition') === null)
    .map((rule) => scalars(rule, ['enforce']))
    .filter(({ enforce }) => enforce !== undefined);
  return {
    ...scalars(policy, ['name']),
    spec: { ...scalars(spec, ['inheritFromParent', 'reset']), rules },
  };
}
