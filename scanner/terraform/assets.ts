import { isObject, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { COMPUTE } from './compute.ts';
import { DATA_SERVICES } from './data-services.ts';
import { providerProject, resourcesOf, type TerraformResource, UNKNOWN } from './document.ts';
import { isNamed, KUBERNETES, nodePoolOf, withNodePool } from './kubernetes.ts';
import { MANAGEMENT } from './management.ts';
import { dataOf, type Mapping } from './mapping.ts';
import { bucketAclOf, type Grant, grantOf } from './policies.ts';
import { SERVERLESS } from './serverless.ts';
import type { UnknownPath } from './unknown-value.ts';

const MAPPINGS: Readonly<Record<string, Mapping>> = {
  ...COMPUTE,
  ...DATA_SERVICES,
  ...KUBERNETES,
  ...MANAGEMENT,
  ...SERVERLESS,
};

/** What stands for the project where neither the resource nor the provider names one. */
const NO_PROJECT = '-';

interface Draft {
  readonly name: string;
  readonly type: string;
  readonly ancestors: readonly string[];
  data: JsonObject | null;
  bindings: JsonObject[] | null;
  auditConfigs: JsonObject[];
}

export interface TerraformAssets {
  /** Records in the form of a Cloud Asset Inventory export, with `unknown_after_apply` beside. */
  readonly records: readonly JsonObject[];
  /** Resources that no rule looks at, or that could not be tied to what they belong to, by address. */
  readonly skipped: readonly string[];
}

/** The assets that the resources of a plan or a state describe. */
export function assetsOf(document: JsonObject): TerraformAssets {
  const project = providerProject(document) ?? NO_PROJECT;
  const resources = resourcesOf(document);
  const drafts = new Map<string, Draft>();
  const skipped: string[] = [];
  const keep = (draft: Draft) => drafts.set(`${draft.type} ${draft.name}`, draft);
  for (const resource of resources) {
    const mapping = MAPPINGS[resource.type];
    if (mapping !== undefined) keep(draftOf(resource, mapping, project));
  }
  for (const resource of resources) {
    if (MAPPINGS[resource.type] !== undefined) continue;
    if (!attach(resource, [...drafts.values()], keep, project)) skipped.push(resource.address);
  }
  return { records: [...drafts.values()].map(recordOf), skipped };
}

function draftOf(resource: TerraformResource, mapping: Mapping, provider: string): Draft {
  const { values, address } = resource;
  const project = known(values, 'project') ?? provider;
  const host = mapping.assetType.slice(0, mapping.assetType.indexOf('/'));
  const path = mapping.path.replaceAll(/\{(\w+)\}/g, (_, attribute: string) =>
    attribute === 'project' ? project : (known(values, attribute) ?? address),
  );
  return {
    name: `//${host}/${path}`,
    type: mapping.assetType,
    ancestors: [`projects/${known(values, 'project_id') ?? project}`],
    data: dataOf(mapping, values),
    bindings: null,
    auditConfigs: [],
  };
}

function known(values: JsonObject, attribute: string): string | null {
  const value = text(values, attribute);
  return value === UNKNOWN ? null : value;
}

/** Adds a resource to the asset that it is a part of. @returns whether there is one, or one could be made up for it */
function attach(
  { type, values }: TerraformResource,
  drafts: readonly Draft[],
  keep: (draft: Draft) => void,
  provider: string,
): boolean {
  if (type === 'google_container_node_pool') return attachNodePool(values, drafts);
  if (type === 'google_compute_project_metadata_item')
    return attachMetadataItem(values, drafts, keep, provider);
  const acl = bucketAclOf(type, values);
  if (acl !== null) {
    const bucket = targetIn(drafts, 'storage.googleapis.com/Bucket', acl.bucket);
    if (bucket === undefined) return false;
    bucket.data = {
      ...bucket.data,
      [acl.member]: [...items(bucket.data, acl.member), ...acl.acl],
    };
    return true;
  }
  const grant = grantOf(type, values);
  if (grant === null) return false;
  const target = targetIn(drafts, grant.assetType, targetNameOf(grant, provider));
  if (target === undefined && grant.target === null) return false;
  const draft = target ?? madeUp(grant, provider);
  draft.bindings = [...(draft.bindings ?? []), ...grant.bindings];
  draft.auditConfigs.push(...grant.auditConfigs);
  if (target === undefined) keep(draft);
  return true;
}

function targetNameOf({ assetType, target }: Grant, provider: string): string | null {
  if (target !== null) return target;
  return assetType === 'cloudresourcemanager.googleapis.com/Project' ? provider : null;
}

/** The asset of that type and name; where the name is known after apply only, the one asset of that type if there is one. */
function targetIn(drafts: readonly Draft[], type: string, name: string | null): Draft | undefined {
  const candidates = drafts.filter((draft) => draft.type === type);
  if (name === null) return candidates.length === 1 ? candidates[0] : undefined;
  const last = lastSegment(name);
  return candidates.find((draft) => lastSegment(draft.name) === last);
}

/** What the grant is on, of which the configuration says nothing else. */
function madeUp({ assetType, target }: Grant, provider: string): Draft {
  const host = assetType.slice(0, assetType.indexOf('/'));
  const collection = COLLECTIONS[assetType] ?? '';
  const name = target ?? provider;
  return {
    name: `//${host}/${name.startsWith(collection) ? name : `${collection}${name}`}`,
    type: assetType,
    ancestors: [`projects/${provider}`],
    data: null,
    bindings: null,
    auditConfigs: [],
  };
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  'cloudresourcemanager.googleapis.com/Project': 'projects/',
  'cloudresourcemanager.googleapis.com/Folder': 'folders/',
  'cloudresourcemanager.googleapis.com/Organization': 'organizations/',
};

function attachNodePool(values: JsonObject, drafts: readonly Draft[]): boolean {
  const clusters = drafts.filter(({ type }) => type === 'container.googleapis.com/Cluster');
  const reference = known(values, 'cluster');
  const [only, ...others] = clusters;
  const cluster =
    reference === null
      ? others.length === 0
        ? only
        : undefined
      : clusters.find(({ data }) => data !== null && isNamed(data, reference));
  if (cluster === undefined || cluster.data === null) return false;
  cluster.data = withNodePool(cluster.data, nodePoolOf(values));
  return true;
}

function attachMetadataItem(
  values: JsonObject,
  drafts: readonly Draft[],
  keep: (draft: Draft) => void,
  provider: string,
): boolean {
  const project = known(values, 'project') ?? provider;
  const type = 'compute.googleapis.com/Project';
  const there = targetIn(drafts, type, project);
  const common = there?.data?.['commonInstanceMetadata'];
  const entry = { key: values['key'] ?? UNKNOWN, value: values['value'] ?? UNKNOWN };
  const draft = there ?? {
    name: `//compute.googleapis.com/projects/${project}`,
    type,
    ancestors: [`projects/${project}`],
    data: null,
    bindings: null,
    auditConfigs: [],
  };
  draft.data = {
    ...draft.data,
    commonInstanceMetadata: { items: [...items(isObject(common) ? common : null, 'items'), entry] },
  };
  if (there === undefined) keep(draft);
  return true;
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function recordOf(draft: Draft): JsonObject {
  const unknowns: UnknownPath[] = [];
  const data = draft.data === null ? null : cut(draft.data, ['data'], unknowns);
  const policy =
    draft.bindings === null
      ? null
      : cut(
          {
            bindings: draft.bindings,
            ...(draft.auditConfigs.length > 0 && { auditConfigs: draft.auditConfigs }),
          },
          ['iamPolicy'],
          unknowns,
        );
  return {
    name: draft.name,
    asset_type: draft.type,
    ancestors: draft.ancestors,
    ...(data !== null && { resource: { data } }),
    ...(policy !== null && { iam_policy: policy }),
    ...(unknowns.length > 0 && { unknown_after_apply: unknowns }),
  };
}

/** The value without what is known after apply only, whose paths are noted. An element of a list leaves null behind. */
function cut(value: JsonValue, path: UnknownPath, unknowns: UnknownPath[]): JsonValue {
  if (Array.isArray(value)) {
    return value.map((element: JsonValue, at) => {
      const below: UnknownPath = [...path, `${at}`];
      if (element !== UNKNOWN) return cut(element, below, unknowns);
      unknowns.push(below);
      return null;
    });
  }
  if (!isObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below: UnknownPath = [...path, name];
    if (member === UNKNOWN) unknowns.push(below);
    else members.push([name, cut(member, below, unknowns)]);
  }
  return Object.fromEntries(members);
}
