import type { JsonObject } from '../json.ts';
import { attach, type Context, describeAsset, INSTANCE } from './attachments.ts';
import { otherResourcesOf, type TerraformResource } from './document.ts';
import { type Draft, Drafts, joinParts } from './drafts.ts';
import { OTHER_ACCESS_RESOURCES } from './iam-resources.gen.ts';
import { NOT_GRANTS } from './iam-targets.ts';
import { dataOf, type Mapping } from './mapping.ts';
import { mappingOf } from './mappings.ts';
import { Naming } from './naming.ts';
import { incompleteness, Plan } from './plan.ts';
import { recordOf } from './record.ts';
import { settledValues } from './settle.ts';
import { Targets } from './targets.ts';

/** A resource of a plan or a state without an asset. */
export interface SkippedResource {
  /** `module.net.google_compute_router.nat` */
  readonly address: string;
  /** `google_compute_router` */
  readonly type: string;
  /** A clause that begins with a verb, or describes the resource: "no rule looks at this type of resource". */
  readonly reason: string;
}

export interface TerraformAssets {
  /** Records in the form of a Cloud Asset Inventory export, with an additional `unknown_after_apply`. */
  readonly records: readonly JsonObject[];
  /** The skipped resources, with the reasons. */
  readonly skipped: readonly SkippedResource[];
  /** For each record, the address of the resource that creates its asset; null if resources only add parts to it. */
  readonly addresses: readonly (string | null)[];
}

/** The assets that the resources of a plan or a state describe. */
export function assetsOf(document: JsonObject): TerraformAssets {
  const plan = new Plan(document);
  const naming = new Naming(plan, templateOf);
  const drafts = new Drafts();
  const draftOf = new Map<TerraformResource, Draft>();
  const owners = new Map<Draft, string>();
  const settled = new Map<TerraformResource, JsonObject>();
  const valuesOf = (resource: TerraformResource): JsonObject => {
    const known = settled.get(resource);
    if (known !== undefined) return known;
    const values = settledValues(resource, plan, naming);
    settled.set(resource, values);
    return values;
  };
  for (const resource of plan.resources) {
    const mapping = mappingOf(resource.type);
    const path = mapping === undefined ? null : naming.pathOf(resource);
    if (mapping === undefined || path === null) continue;
    const draft = drafts.keep(mapping.assetType, path);
    describeAsset(draft, dataOf(mapping, valuesOf(resource)), resource, owners);
    draftOf.set(resource, draft);
  }
  const targets = new Targets(plan, naming, drafts, draftOf);
  const context: Context = { plan, naming, drafts, targets, owners, valuesOf };
  const skipped: SkippedResource[] = [];
  for (const resource of plan.resources) {
    if (draftOf.has(resource) || attach(resource, context)) continue;
    skipped.push(skippedOf(resource, reasonFor(resource.type)));
  }
  for (const resource of otherResourcesOf(document)) {
    skipped.push(skippedOf(resource, 'is not a resource of the Google provider'));
  }
  const missing = incompleteness(document);
  if (missing !== null) skipped.push({ address: '*', type: 'plan', reason: missing });
  for (const draft of drafts.all) joinParts(draft);
  const all = [...drafts.all];
  return {
    records: all.map((draft) => recordOf(draft, drafts.isOpen(draft.type))),
    skipped,
    addresses: all.map((draft) => owners.get(draft) ?? null),
  };
}

function templateOf(type: string): Pick<Mapping, 'assetType' | 'path'> | undefined {
  return type === 'google_compute_instance_from_template' ? INSTANCE : mappingOf(type);
}

function skippedOf(
  { address, type }: { readonly address: string; readonly type: string },
  reason: string,
): SkippedResource {
  return { address, type, reason };
}

/** Why resources of this type have no asset. */
function reasonFor(type: string): string {
  if (/^google_compute_(region_)?instance_template$/.test(type)) {
    return 'is a template; rules examine the instances that are created from it';
  }
  if (/_iam_(policy|binding|member|audit_config)$/.test(type)) {
    return 'grants a role on an unsupported type of resource';
  }
  const notGrant = OTHER_ACCESS_RESOURCES.includes(type)
    ? NOT_GRANTS.find(([name]) => name.test(type))
    : undefined;
  return notGrant?.[1] ?? 'no rule examines this type of resource';
}
