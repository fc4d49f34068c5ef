import { isDeepStrictEqual } from 'node:util';
import { isObject, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { inApiForm } from './api-form.ts';
import { INSTANCE_FORM, instance } from './compute.ts';
import { type TerraformResource, UNKNOWN } from './document.ts';
import {
  addParts,
  addPolicy,
  addPossible,
  addPossibleChange,
  type Draft,
  type Drafts,
  type Join,
  NOTHING_ELSE,
} from './drafts.ts';
import { type Grant, grantOf } from './grants.ts';
import { nodePoolOf, withNodePools } from './kubernetes.ts';
import type { Naming } from './naming.ts';
import type { Plan } from './plan.ts';
import type { Reference, Targets } from './targets.ts';

/** The context for resources that are part of other assets. */
export interface Context {
  readonly plan: Plan;
  readonly naming: Naming;
  readonly drafts: Drafts;
  readonly targets: Targets;
  /** The address of the resource that creates an asset. */
  readonly owners: Map<Draft, string>;
  /** The settled attributes of a resource. */
  readonly valuesOf: (resource: TerraformResource) => JsonObject;
}

const CLUSTER: Reference = {
  assetType: 'container.googleapis.com/Cluster',
  path: 'projects/{project}/locations/{location}/clusters/{cluster}',
  attribute: 'cluster',
};
const BUCKET: Reference = {
  assetType: 'storage.googleapis.com/Bucket',
  path: '{bucket}',
  attribute: 'bucket',
};
const DATASET: Reference = {
  assetType: 'bigquery.googleapis.com/Dataset',
  path: 'projects/{project}/datasets/{dataset_id}',
  attribute: 'dataset_id',
};
const COMPUTE_PROJECT: Reference = {
  assetType: 'compute.googleapis.com/Project',
  path: 'projects/{project}',
  attribute: 'project',
};

/** The asset of an instance from a template. */
export const INSTANCE = {
  assetType: 'compute.googleapis.com/Instance',
  path: 'projects/{project}/zones/{zone}/instances/{name}',
};

const withAcl = appendTo('acl');
const withDefaultAcl = appendTo('defaultObjectAcl');

const ACLS: Readonly<Record<string, Join>> = {
  google_storage_bucket_acl: withAcl,
  google_storage_bucket_access_control: withAcl,
  google_storage_default_object_acl: withDefaultAcl,
  google_storage_default_object_access_control: withDefaultAcl,
};

function appendTo(list: string): Join {
  return (data, parts) => ({ ...data, [list]: [...items(data, list), ...parts] });
}

/** Resource types that `attach` handles, besides those of IAM. */
export const ATTACHED_TYPES: ReadonlySet<string> = new Set([
  'google_container_node_pool',
  'google_compute_project_metadata_item',
  'google_bigquery_dataset_access',
  'google_compute_instance_from_template',
  ...Object.keys(ACLS),
]);

/**
 * Describes an asset by the resource that creates it. If another resource of the plan creates an asset of this name
 * too, either description may turn out to be right.
 */
export function describeAsset(
  draft: Draft,
  data: JsonObject,
  { address }: TerraformResource,
  owners: Map<Draft, string>,
): void {
  const owner = owners.get(draft);
  if (owner === undefined) {
    draft.data = data;
    owners.set(draft, address);
  } else if (!isDeepStrictEqual(draft.data, data)) {
    const reason = `${owner} and ${address} have the same name: which one describes it is known after apply only`;
    addPossibleChange(draft, () => data, reason);
  }
}

/**
 * Adds a resource to the asset that it is part of, or to all candidates.
 * @returns whether it is such a resource
 */
export function attach(resource: TerraformResource, context: Context): boolean {
  const join = Object.hasOwn(ACLS, resource.type) ? ACLS[resource.type] : undefined;
  if (join !== undefined) {
    attachAcl(resource, join, context);
    return true;
  }
  switch (resource.type) {
    case 'google_container_node_pool':
      attachNodePool(resource, context);
      return true;
    case 'google_compute_project_metadata_item':
      attachMetadataItem(resource, context);
      return true;
    case 'google_bigquery_dataset_access':
      attachAccess(resource, context);
      return true;
    case 'google_compute_instance_from_template':
      keepInstance(resource, context);
      return true;
    default:
      return attachGrant(resource, context);
  }
}

function attachGrant(resource: TerraformResource, context: Context): boolean {
  const grant = grantOf(
    { ...resource, values: context.valuesOf(resource) },
    context.plan,
    context.naming,
  );
  if (grant === null) return false;
  const { certain, possible, path } = context.targets.find(resource, grant.target);
  const hit =
    certain ??
    (possible.length === 0 ? context.drafts.placeholder(grant.target.assetType, path) : null);
  if (hit !== null) settle(hit, grant, resource);
  for (const draft of possible) {
    const reason = `${resource.address} may grant a role here: its ${grant.target.attribute} is known after apply only`;
    addPossible(draft, grant.certain, reason);
    if (grant.possible !== null) addPossible(draft, grant.possible, reason);
  }
  return true;
}

function settle(draft: Draft, grant: Grant, { address }: TerraformResource): void {
  const { certain, possible } = grant;
  addPolicy(draft, certain, grant.hasAllAuditConfigs);
  if (possible !== null) {
    addPossible(draft, possible, `what ${address} grants is known after apply only`);
  }
}

/** Adds parts to the asset of a resource, or possible parts to each candidate. */
function addTo(
  resource: TerraformResource,
  reference: Reference,
  { targets, drafts }: Context,
  join: Join,
  parts: readonly JsonValue[],
): void {
  const { certain, possible, path } = targets.find(resource, reference);
  const hit =
    certain ?? (possible.length === 0 ? drafts.placeholder(reference.assetType, path) : null);
  if (hit !== null) {
    hit.data ??= reference === COMPUTE_PROJECT ? {} : NOTHING_ELSE;
    addParts(hit, join, parts);
  }
  const reason = `${resource.address} may belong to it: its ${reference.attribute} is known after apply only`;
  for (const draft of possible) addPossibleChange(draft, (data) => join(data, parts), reason);
}

/** A pool of a cluster outside of the plan is evaluated alone; nothing else is known of the cluster. */
function attachNodePool(resource: TerraformResource, context: Context): void {
  const pool = nodePoolOf(context.valuesOf(resource));
  addTo(resource, CLUSTER, context, withNodePools, [pool]);
}

function attachMetadataItem(resource: TerraformResource, context: Context): void {
  const { key, value } = context.valuesOf(resource);
  const entry = { key: key ?? UNKNOWN, value: value ?? UNKNOWN };
  addTo(resource, COMPUTE_PROJECT, context, withMetadata, [entry]);
}

/** Without the resource of the whole metadata, the project may have further items: the last one stands for them. */
function withMetadata(data: JsonObject, entries: readonly JsonValue[]): JsonObject {
  const common = data['commonInstanceMetadata'];
  if (common === UNKNOWN) return data;
  const others = items(isObject(common) ? common : null, 'items');
  const isWhole = common !== undefined && others.at(-1) !== NOTHING_ELSE;
  const known = others.filter((item) => item !== NOTHING_ELSE);
  const all = [...known, ...entries, ...(isWhole ? [] : [NOTHING_ELSE])];
  return { ...data, commonInstanceMetadata: { items: all } };
}

/** Access lists of Cloud Storage: `role_entity`, a predefined list, or a separate entity. */
function attachAcl(resource: TerraformResource, join: Join, context: Context): void {
  const values = context.valuesOf(resource);
  addTo(resource, BUCKET, context, join, entriesOf(values));
  const { default_acl: name } = values;
  if (name !== undefined) addTo(resource, BUCKET, context, withDefaultAcl, predefined(name));
}

function entriesOf(values: JsonObject): readonly JsonValue[] {
  const single = text(values, 'entity');
  if (single !== null) return [{ role: values['role'] ?? UNKNOWN, entity: single }];
  const { role_entity: listed, predefined_acl: name } = values;
  // The provider accepts one of both, and calls the list known after apply if the other one is set.
  if (listed === UNKNOWN) return name === undefined ? [UNKNOWN] : predefined(name);
  return [
    ...items(values, 'role_entity').map(entityOf),
    ...(name === undefined ? [] : predefined(name)),
  ];
}

/** `READER:allUsers` */
function entityOf(pair: JsonValue): JsonValue {
  if (typeof pair !== 'string' || pair === UNKNOWN) return UNKNOWN;
  const colon = pair.indexOf(':');
  return colon === -1
    ? { role: UNKNOWN, entity: UNKNOWN }
    : { role: pair.slice(0, colon), entity: pair.slice(colon + 1) };
}

/** The entries for everyone in the predefined ACLs of buckets and of objects. */
const PREDEFINED: ReadonlyMap<JsonValue, readonly JsonObject[]> = new Map([
  ['authenticatedRead', [{ role: 'READER', entity: 'allAuthenticatedUsers' }]],
  ['bucketOwnerFullControl', []],
  ['bucketOwnerRead', []],
  ['private', []],
  ['projectPrivate', []],
  ['publicRead', [{ role: 'READER', entity: 'allUsers' }]],
  ['publicReadWrite', [{ role: 'WRITER', entity: 'allUsers' }]],
]);

function predefined(name: JsonValue): readonly JsonValue[] {
  // The provider's default, an empty text, means none.
  return name === '' ? [] : (PREDEFINED.get(name) ?? [UNKNOWN]);
}

/** An entry of a dataset's access list, which for a person is also an IAM grant. */
function attachAccess(resource: TerraformResource, context: Context): void {
  const entry = inApiForm(context.valuesOf(resource), {});
  addTo(resource, DATASET, context, withAccess, [entry]);
}

function withAccess(data: JsonObject, entries: readonly JsonValue[]): JsonObject {
  if (data['access'] === UNKNOWN) return data;
  return { ...data, access: [...items(data, 'access'), ...entries] };
}

/** An instance that inherits unset attributes from its template. */
function keepInstance(resource: TerraformResource, context: Context): void {
  const own = context.valuesOf(resource);
  const template = templateOf(resource, context);
  const path = context.naming.fill(INSTANCE.path, resource);
  const draft = context.drafts.keep(INSTANCE.assetType, path);
  const merged: Record<string, JsonValue> = {};
  for (const name of new Set([...Object.keys(own), ...Object.keys(template ?? {}), ...JUDGED])) {
    const value = own[name];
    const isGiven =
      value !== undefined && value !== UNKNOWN && !(Array.isArray(value) && value.length === 0);
    const inherited =
      template !== null ? template[name] : JUDGED.includes(name) ? UNKNOWN : undefined;
    const found = isGiven ? value : isExplicit(resource, name) ? value : inherited;
    if (found !== undefined) merged[name] = found;
  }
  describeAsset(draft, instance(inApiForm(merged, INSTANCE_FORM)), resource, context.owners);
}

/**
 * The attributes that rules read and a template sets. Excludes labels, which identify GKE nodes, because those do not
 * come from templates.
 */
const JUDGED: readonly string[] = [
  'can_ip_forward',
  'confidential_instance_config',
  'metadata',
  'metadata_startup_script',
  'network_interface',
  'service_account',
  'shielded_instance_config',
];

/** Whether the configuration sets an attribute to an unknown value. */
function isExplicit({ configuration }: TerraformResource, name: string): boolean {
  const expressions = configuration?.['expressions'];
  return isObject(expressions) && expressions[name] !== undefined;
}

/** The attributes of a template in the plan; null if it is elsewhere. */
function templateOf(resource: TerraformResource, context: Context): JsonObject | null {
  const expressions = resource.configuration?.['expressions'];
  const expression = isObject(expressions) ? expressions['source_instance_template'] : undefined;
  const { resources, isComplete } = context.plan.resolve(resource, expression);
  const [only, ...others] = new Set(resources.map((one) => one.resource));
  if (only === undefined || others.length > 0 || !isComplete) return null;
  return /^google_compute_(region_)?instance_template$/.test(only.type)
    ? context.valuesOf(only)
    : null;
}
