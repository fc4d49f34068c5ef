import { child, isObject, type JsonObject, type JsonValue, objects, text } from '../json.ts';
import type { ModuleInstance } from './configuration.ts';
import { hideSensitive, SENSITIVE } from './sensitive.ts';

/** A managed resource of the Google providers, in a plan or a state. */
export interface TerraformResource extends Omit<PlannedResource, 'moduleAddress'> {
  readonly module: ModuleInstance;
  /** Its configuration; null if the document does not contain it, as in every state. */
  readonly configuration: JsonObject | null;
}

/** A managed resource as listed in the document. */
export interface PlannedResource {
  /** `module.net.google_compute_firewall.ssh["a"]` */
  readonly address: string;
  /** `google_compute_firewall` */
  readonly type: string;
  /** `ssh` */
  readonly name: string;
  /** The key of the instance, `a` or `0`; null without `count` and `for_each`. */
  readonly key: string | null;
  /** `module.net`; '' for the root. */
  readonly moduleAddress: string;
  /** The attributes without null values; values that are sensitive or known only after apply are UNKNOWN. */
  readonly values: JsonObject;
  /** The same with SENSITIVE for sensitive values, which have no default and are not those of another resource. */
  readonly marked: JsonObject;
}

/**
 * Placeholder for a value that is known only after apply. A string, so it passes through every mapping; no attribute of
 * a provider can have this value.
 */
export const UNKNOWN = '\0known after apply\0';

export const STATE_FILE =
  'This is a state file of Terraform, whose format is internal. Use the output of `terraform show -json terraform.tfstate`.';

/** Whether it is the content of `terraform.tfstate` itself. */
export function isStateFile(value: JsonValue): boolean {
  return isObject(value) && text(value, 'lineage') !== null && typeof value['serial'] === 'number';
}

/**
 * Whether the document is an output of `terraform show -json`: a plan (`planned_values`) or a state (`values`), in
 * Terraform's JSON output format, version 0.x or 1.x.
 */
export function isTerraform(document: JsonValue): document is JsonObject {
  return (
    isObject(document) &&
    text(document, 'format_version') !== null &&
    (isObject(document['planned_values']) ||
      isObject(document['values']) ||
      text(document, 'terraform_version') !== null)
  );
}

/** The Google resources as they will be after apply (plan), or as they are (state). */
export function resourcesOf(document: JsonObject): PlannedResource[] {
  return listed(document).filter(({ mode, type }) => mode !== 'data' && type.startsWith('google_'));
}

/** Data sources that are read only after apply, as far as the plan knows their results. */
export function dataSourcesOf(document: JsonObject, type: string): PlannedResource[] {
  return listed(document).filter((one) => one.mode === 'data' && one.type === type);
}

/** Managed resources of other providers. */
export function otherResourcesOf(document: JsonObject): PlannedResource[] {
  return listed(document).filter(
    ({ mode, type }) => mode !== 'data' && !type.startsWith('google_'),
  );
}

function listed(document: JsonObject): (PlannedResource & { readonly mode: string | null })[] {
  const root = child(child(document, 'planned_values') ?? child(document, 'values'), 'root_module');
  const changes = new Map(
    objects(document, 'resource_changes')
      .filter((change) => !isDeposed(change))
      .map((change) => [text(change, 'address'), child(change, 'change')]),
  );
  return modulesOf(root).flatMap((module) =>
    objects(module, 'resources').flatMap((resource) => {
      const type = text(resource, 'type') ?? '';
      const address = text(resource, 'address') ?? '';
      const change = changes.get(address) ?? null;
      const hidden = hideSensitive(
        child(resource, 'values') ?? {},
        resource['sensitive_values'],
        change?.['after_sensitive'],
      );
      const merged = merge(hidden, child(change, 'after_unknown') ?? {});
      const marked = isObject(merged) ? merged : {};
      const index = resource['index'];
      return [
        {
          address,
          type,
          mode: text(resource, 'mode'),
          name: text(resource, 'name') ?? '',
          key: index === undefined || index === null ? null : String(index),
          moduleAddress: text(module, 'address') ?? '',
          values: withUnknown(marked),
          marked,
        },
      ];
    }),
  );
}

/** Whether a change is of the rest of an earlier replacement, which has the address of its successor. */
export function isDeposed(change: JsonObject): boolean {
  return text(change, 'deposed') !== null;
}

/** The module and its descendants, in document order. */
export function modulesOf(root: JsonObject | null): JsonObject[] {
  const found: JsonObject[] = [];
  const pending: JsonObject[] = root === null ? [] : [root];
  for (;;) {
    const module = pending.pop();
    if (module === undefined) return found;
    found.push(module);
    for (const below of objects(module, 'child_modules').toReversed()) pending.push(below);
  }
}

/** The values with UNKNOWN wherever `after_unknown`, which has the same shape, is true. */
function merge(value: JsonValue, unknown: JsonValue): JsonValue {
  if (unknown === true) return UNKNOWN;
  if (value === SENSITIVE) return SENSITIVE;
  if (Array.isArray(unknown)) {
    const elements: readonly JsonValue[] = Array.isArray(value) ? value : [];
    const length = Math.max(elements.length, unknown.length);
    return Array.from({ length }, (_, at) => merge(elements[at] ?? null, unknown[at] ?? false));
  }
  if (isObject(unknown)) {
    const known = isObject(value) ? value : {};
    const names = new Set([...Object.keys(known), ...Object.keys(unknown)]);
    return withoutNulls(
      [...names].map((name) => [name, merge(known[name] ?? null, unknown[name] ?? false)]),
    );
  }
  if (Array.isArray(value)) return value.map((element: JsonValue) => merge(element, false));
  if (!isObject(value)) return value;
  return withoutNulls(Object.entries(value).map(([name, member]) => [name, merge(member, false)]));
}

/** The values with UNKNOWN in place of SENSITIVE; the same object if there are none. */
export function withUnknown(values: JsonObject): JsonObject {
  const replaced = replace(values);
  return isObject(replaced) ? replaced : values;
}

function replace(value: JsonValue): JsonValue {
  if (value === SENSITIVE) return UNKNOWN;
  if (Array.isArray(value)) {
    const elements = value.map(replace);
    return elements.some((element, at) => element !== value[at]) ? elements : value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, replace(member)] as const);
  const isChanged = members.some(([name, member]) => member !== value[name]);
  return isChanged ? Object.fromEntries(members) : value;
}

function withoutNulls(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}

/** Whether a JSON text begins with an object, after an optional byte order mark; an export begins with an array. */
export function beginsTerraformDocument(first: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*\{/.test(Buffer.from(first).toString('latin1'));
}
