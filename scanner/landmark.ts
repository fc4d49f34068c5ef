import { CONDITION_QUERIES } from './facts/alert-policy.ts';
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

/** What is kept of `resource.data`; null where the asset is of no use to any rule but its own. */
type Trim = (data: JsonObject, asset: Asset) => JsonObject | null;

const OS_LOGIN_KEYS: readonly JsonValue[] = ['enable-oslogin', 'enable-oslogin-2fa'];

/*
 * One entry for each type that rules look up beside the asset they judge. Strings, numbers, booleans and what is named
 * here in full is all that is taken: a landmark is small, and never nested deeper than JSON.stringify can go.
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
  ['logging.googleapis.com/LogMetric', (metric) => scalars(metric, ['name', 'filter', 'disabled'])],
  ['logging.googleapis.com/LogSink', sinkOf],
  ['monitoring.googleapis.com/AlertPolicy', alertPolicyOf],
  ['orgpolicy.googleapis.com/Policy', enforcementOf],
  ['serviceusage.googleapis.com/Service', serviceOf],
  ['storage.googleapis.com/Bucket', bucketOf],
]);

/** Whether `landmarkOf` may keep assets of this type: it need not be asked about others, nor they be parsed for it. */
export function isLandmarkType(type: string): boolean {
  return TRIMS.has(type);
}

/**
 * What rules on other assets, or on a project as a whole, need to know of this one: a record in the shape of an export,
 * on one line, that `parseAsset` reads again. A snapshot of a million assets has few of these; they are collected while
 * it is read and given to the `Snapshot` that its rules look at.
 *
 * @param asset of all that the inventory says of it, that is after `mergeRecords`
 * @returns null for an asset that no other depends on
 */
export function landmarkOf(asset: Asset): string | null {
  const trim = TRIMS.get(asset.type);
  if (trim === undefined) return null;
  if (asset.planned !== null) return asset.planned;
  const data = asset.data === null ? null : trim(asset.data, asset);
  const orgPolicies = asset.orgPolicies?.map(orgPolicyOf) ?? null;
  if (data === null && orgPolicies === null) return null;
  return JSON.stringify({
    asset_type: asset.type,
    name: asset.name,
    // The names of buckets are unique in the world, and their landmarks are the most numerous ones.
    ...(asset.type === 'storage.googleapis.com/Bucket' ? {} : { ancestors: asset.ancestors }),
    ...(data === null ? {} : { resource: { data } }),
    ...(orgPolicies === null ? {} : { org_policy: orgPolicies }),
  });
}

/** Those of these members that are neither objects nor arrays. */
function scalars(data: JsonObject | null, members: readonly string[]): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const member of members) {
    const value = data?.[member];
    if (value !== undefined && value !== null && typeof value !== 'object') kept[member] = value;
  }
  return kept;
}

/** The parent of a project is `{ type, id }` in the first version of the API, `folders/1` in the third. */
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

function sinkOf(sink: JsonObject): JsonObject {
  return {
    ...scalars(sink, ['name', 'destination', 'filter', 'disabled', 'includeChildren']),
    exclusions: objects(sink, 'exclusions').map((one) => scalars(one, ['filter', 'disabled'])),
  };
}

/** Only the policies that watch a metric made of logs are of use; there are many others. */
function alertPolicyOf(policy: JsonObject): JsonObject | null {
  const conditions = objects(policy, 'conditions').flatMap((condition) =>
    CONDITION_QUERIES.flatMap(([kind, member]) => {
      const query = text(child(condition, kind), member);
      return query?.includes('logging') ? [{ [kind]: { [member]: query } }] : [];
    }),
  );
  return conditions.length === 0 ? null : { ...scalars(policy, ['enabled']), conditions };
}

/** Of the hundreds of services of a project the one that a rule asks for. */
function serviceOf(service: JsonObject, asset: Asset): JsonObject | null {
  return isCloudAssetApi(asset) ? scalars(service, ['name', 'state']) : null;
}

function bucketOf(bucket: JsonObject): JsonObject {
  const isLocked = isTrue(child(bucket, 'retentionPolicy'), 'isLocked');
  return isLocked ? { retentionPolicy: { isLocked } } : {};
}

/** An organisation policy as an export of the kind ORG_POLICY has it, without lists of values. */
function orgPolicyOf(policy: JsonObject): JsonObject {
  const kept = scalars(policy, ['constraint']);
  const rule = policy.boolean_policy ?? policy.booleanPolicy;
  return isObject(rule) ? { ...kept, boolean_policy: scalars(rule, ['enforced']) } : kept;
}

/** An organisation policy as a resource of its own: its rules that enforce something or do not, for whatever tags. */
function enforcementOf(policy: JsonObject): JsonObject {
  const spec = child(policy, 'spec');
  const rules = objects(spec, 'rules')
    .filter((rule) => child(rule, 'condition') === null)
    .map((rule) => scalars(rule, ['enforce']))
    .filter(({ enforce }) => enforce !== undefined);
  return { ...scalars(policy, ['name']), spec: { ...scalars(spec, ['inheritFromParent']), rules } };
}
