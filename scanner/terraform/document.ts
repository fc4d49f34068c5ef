import { child, isObject, type JsonObject, type JsonValue, objects, text } from '../json.ts';

/** A managed resource of a plan or a state, of the Google providers. */
export interface TerraformResource {
  /** `module.net.google_compute_firewall.ssh["a"]` */
  readonly address: string;
  /** `google_compute_firewall` */
  readonly type: string;
  /** The attributes without those that are null; what is known after apply only is UNKNOWN. */
  readonly values: JsonObject;
}

/**
 * Stands for a value that is known only after apply, wherever Terraform would have put one. As a string it passes through
 * every mapping; no attribute of a provider can have this value.
 */
export const UNKNOWN = '\0known after apply\0';

/**
 * Whether the document is what `terraform show -json` writes: of a plan (`planned_values`) or of a state (`values`), in
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
export function resourcesOf(document: JsonObject): TerraformResource[] {
  const root = child(child(document, 'planned_values') ?? child(document, 'values'), 'root_module');
  const unknowns = new Map(
    objects(document, 'resource_changes').map((change) => [
      text(change, 'address'),
      child(child(change, 'change'), 'after_unknown'),
    ]),
  );
  return modulesOf(root).flatMap((module) =>
    objects(module, 'resources').flatMap((resource) => {
      const type = text(resource, 'type') ?? '';
      const address = text(resource, 'address') ?? '';
      if (!type.startsWith('google_') || text(resource, 'mode') === 'data') return [];
      const values = merge(child(resource, 'values') ?? {}, unknowns.get(address) ?? {});
      return [{ address, type, values: isObject(values) ? values : {} }];
    }),
  );
}

/**
 * The project that the provider is configured with, for resources that do not name theirs; null where the document does
 * not say.
 */
export function providerProject(document: JsonObject): string | null {
  const providers = child(child(document, 'configuration'), 'provider_config');
  for (const name of ['google', 'google-beta']) {
    const project = child(child(child(providers, name), 'expressions'), 'project');
    const constant = text(project, 'constant_value');
    if (constant !== null) return constant;
    for (const reference of Array.isArray(project?.['references']) ? project['references'] : []) {
      const variable = typeof reference === 'string' ? /^var\.(\w+)$/.exec(reference)?.[1] : null;
      const value = text(child(child(document, 'variables'), variable ?? ''), 'value');
      if (value !== null) return value;
    }
  }
  return null;
}

function modulesOf(module: JsonObject | null): JsonObject[] {
  if (module === null) return [];
  return [module, ...objects(module, 'child_modules').flatMap(modulesOf)];
}

/** The values with UNKNOWN at each place that `after_unknown`, which has the same form, holds true. */
function merge(value: JsonValue, unknown: JsonValue): JsonValue {
  if (unknown === true) return UNKNOWN;
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

function withoutNulls(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}
