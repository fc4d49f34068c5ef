import { child, isObject, type JsonObject, objects, strings, text } from '../json.ts';
import { assetsOf, type SkippedResource } from './assets.ts';
import { isDeposed, modulesOf } from './document.ts';
import { hideSensitive } from './sensitive.ts';

/** An asset that a plan creates, changes or deletes. Each side is null if the asset is not in that state. */
export interface PlannedAsset {
  readonly name: string;
  readonly type: string;
  /** The resource that creates the asset; null if the plan only changes parts of it, such as its IAM policy. */
  readonly address: string | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** The plan deletes the asset itself. */
  readonly isDeleted: boolean;
  /** The plan creates the asset itself. */
  readonly isCreated: boolean;
}

/** What a plan does to the assets of Google Cloud. */
export interface PlanStates {
  /** The records of all assets before and after apply, which rules read besides the asset they evaluate. */
  readonly before: readonly JsonObject[];
  readonly after: readonly JsonObject[];
  /** The assets that differ between the two. */
  readonly changed: readonly PlannedAsset[];
  /** The resources without an asset. */
  readonly skipped: readonly SkippedResource[];
}

/** Whether a document of Terraform is a plan. A state has no planned values. */
export function isPlan(document: JsonObject): boolean {
  return isObject(document['planned_values']);
}

/**
 * The assets before and after apply. An asset is changed if its records differ, so a change of an attribute that no rule
 * reads is none.
 */
export function planStatesOf(document: JsonObject): PlanStates {
  const after = assetsOf(document);
  const before = assetsOf(stateBefore(document));
  const beforeByKey = new Map(before.records.map((record, at) => [keyOf(record), at]));
  const changed: PlannedAsset[] = [];
  for (const [at, record] of after.records.entries()) {
    const key = keyOf(record);
    const old = beforeByKey.get(key);
    beforeByKey.delete(key);
    const sides = {
      before: old === undefined ? null : (before.records[old] ?? null),
      after: record,
    };
    if (sides.before !== null && JSON.stringify(sides.before) === JSON.stringify(record)) continue;
    const oldAddress = old === undefined ? null : (before.addresses[old] ?? null);
    changed.push(assetOf(record, sides, oldAddress, after.addresses[at] ?? null));
  }
  for (const at of beforeByKey.values()) {
    const record = before.records[at];
    if (record === undefined) continue;
    const sides = { before: record, after: null };
    changed.push(assetOf(record, sides, before.addresses[at] ?? null, null));
  }
  return { before: before.records, after: after.records, changed, skipped: after.skipped };
}

function keyOf(record: JsonObject): string {
  return `${text(record, 'asset_type')} ${text(record, 'name')}`;
}

function assetOf(
  record: JsonObject,
  sides: Pick<PlannedAsset, 'before' | 'after'>,
  oldAddress: string | null,
  newAddress: string | null,
): PlannedAsset {
  return {
    name: text(record, 'name') ?? '',
    type: text(record, 'asset_type') ?? '',
    address: newAddress ?? oldAddress,
    ...sides,
    isDeleted: oldAddress !== null && newAddress === null,
    isCreated: oldAddress === null && newAddress !== null,
  };
}

/**
 * The state before apply, as a document of its own. It keeps the configuration, which names the project of a resource
 * that has none.
 */
function stateBefore(document: JsonObject): JsonObject {
  const { planned_values: planned, resource_changes: changes, ...rest } = document;
  if (!Array.isArray(changes)) return { ...rest, values: { root_module: {} } };
  const pending = new Map(
    objects(document, 'resource_changes')
      .filter((change) => !isDeposed(change) && text(change, 'mode') !== 'data')
      .map((change) => [text(change, 'address') ?? '', change]),
  );
  const modules: JsonObject[] = [];
  for (const module of modulesOf(child(isObject(planned) ? planned : null, 'root_module'))) {
    const resources = objects(module, 'resources').flatMap((resource) => {
      const change = pending.get(text(resource, 'address') ?? '');
      pending.delete(text(resource, 'address') ?? '');
      // Without a change it stays as it is.
      if (change === undefined) return [resource];
      if (!hasEffect(change)) {
        const marks = child(change, 'change')?.['after_sensitive'];
        return [{ ...resource, values: hideSensitive(child(resource, 'values') ?? {}, marks) }];
      }
      const values = valuesBefore(change);
      return values === null ? [] : [{ ...resource, values, sensitive_values: false }];
    });
    modules.push({ ...module, child_modules: [], resources });
  }
  for (const change of pending.values()) {
    const values = valuesBefore(change);
    // A resource that Terraform forgets stays in the cloud.
    if (values === null || actionsOf(change).includes('forget')) continue;
    const address = text(change, 'module_address') ?? '';
    modules.push({ address, resources: [{ ...change, values }] });
  }
  return { ...rest, values: { root_module: { child_modules: modules } } };
}

/** Without sensitive values; null for a resource that does not exist. */
function valuesBefore(change: JsonObject): JsonObject | null {
  const { before, before_sensitive: marks } = child(change, 'change') ?? {};
  return isObject(before) ? hideSensitive(before, marks) : null;
}

const UNCHANGED = new Set(['no-op', 'read']);

function hasEffect(change: JsonObject): boolean {
  const actions = actionsOf(change);
  return actions.length === 0 || actions.some((action) => !UNCHANGED.has(action));
}

function actionsOf(change: JsonObject): readonly string[] {
  return strings(child(change, 'change'), 'actions');
}
