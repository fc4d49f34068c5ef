import { child, isObject, items, type JsonObject, type JsonValue } from '../json.ts';
import {
  ABSENT,
  API_DEFAULTS,
  type ApiDefault,
  NOT_NEEDED,
  OPEN_DEFAULTS,
} from './api-defaults.ts';
import { type TerraformResource, UNKNOWN, withUnknown } from './document.ts';
import { IDENTIFIERS, type Naming } from './naming.ts';
import { isUnset, type Plan } from './plan.ts';

/**
 * Attributes whose text names another resource. Rules check whether they are set, or which resource they name; other
 * attributes may be lists, or their values matter.
 */
const REFERENCES: ReadonlySet<string> = new Set([
  'default_kms_key_name',
  'email',
  'key_ring',
  'kms_key',
  'kms_key_name',
  'kms_key_self_link',
  'log_bucket',
  'master_instance_name',
  'network',
  'network_url',
  'security_policy',
  'service_account',
  'service_account_email',
  'ssl_policy',
  'subnetwork',
  'url_map',
]);

/**
 * Resolves as many UNKNOWN attributes of a resource as possible: an omitted attribute gets the API's default, and a
 * reference to another resource of the plan gets that resource's name.
 */
export function settledValues(resource: TerraformResource, plan: Plan, naming: Naming): JsonObject {
  const expressions = child(resource.configuration, 'expressions');
  const defaults = API_DEFAULTS[resource.type] ?? {};
  const notNeeded = NOT_NEEDED[resource.type] ?? [];
  const settle = (values: JsonObject, above: JsonObject | null, at: string): JsonObject => {
    const settled: [string, JsonValue][] = [];
    for (const [name, value] of Object.entries(values)) {
      const path = at === '' ? name : `${at}.${name}`;
      const expression = above?.[name];
      if (value !== UNKNOWN) settled.push([name, settleBlocks(value, expression, path)]);
      else if (!notNeeded.includes(path)) {
        const found = above === null ? UNKNOWN : settleUnknown(expression, path);
        if (found !== ABSENT) settled.push([name, found]);
      }
    }
    return Object.fromEntries(settled);
  };
  /**
   * Blocks are lists of objects in the configuration and in the values. A `dynamic` block has no expressions, so its
   * content is not known to be omitted.
   */
  const settleBlocks = (
    value: JsonValue,
    expression: JsonValue | undefined,
    path: string,
  ): JsonValue => {
    if (!Array.isArray(value)) return value;
    const blocks: readonly JsonValue[] = Array.isArray(expression) ? expression : [];
    const single = isObject(expression) && !('references' in expression) ? expression : undefined;
    return value.map((element: JsonValue, at) => {
      if (!isObject(element)) return element;
      const block =
        blocks.length === value.length ? blocks[at] : value.length === 1 ? single : undefined;
      return settle(element, isObject(block) ? block : null, path);
    });
  };
  const settleUnknown = (expression: JsonValue | undefined, path: string): ApiDefault => {
    const ofApi = Object.hasOwn(defaults, path) ? defaults[path] : undefined;
    if (isUnset(expression)) return ofApi ?? UNKNOWN;
    const { resources, types, isComplete } = plan.resolve(resource, expression);
    // All of its parts are known, so the value is null.
    if (resources.length === 0 && types.size === 0 && isComplete) return ofApi ?? UNKNOWN;
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (expression === undefined || !REFERENCES.has(name)) return UNKNOWN;
    return nameOf(expression) ?? UNKNOWN;
  };
  /** The name of the single resource that an attribute refers to. */
  const nameOf = (expression: JsonValue): string | null => {
    const { resources, isComplete } = plan.resolve(resource, expression);
    const [only, ...others] = resources;
    if (only === undefined || others.length > 0 || !isComplete) return null;
    if (only.attribute === null || !IDENTIFIERS.has(only.attribute)) return null;
    return identifierOf(only.resource, only.attribute, naming);
  };
  return withUnknown({
    ...settle(resource.marked, expressions, ''),
    ...openDefaults(resource),
  });
}

/** An existing resource shows what the API made of an omitted block; a new one and a template do not. */
function openDefaults({ type, marked }: TerraformResource): JsonObject {
  const isNew = marked['id'] === UNKNOWN || type.endsWith('_template');
  const names = isNew ? (OPEN_DEFAULTS[type] ?? []) : [];
  const omitted = names.filter((name) => items(marked, name).length === 0);
  return Object.fromEntries(omitted.map((name) => [name, UNKNOWN]));
}

function identifierOf(target: TerraformResource, attribute: string, naming: Naming): string | null {
  // An unknown text with a known name in it contains something else.
  const value = target.values[attribute];
  if (value !== undefined && value !== UNKNOWN) return null;
  if (attribute === 'email' || attribute === 'unique_id') return naming.emailOf(target);
  if (attribute === 'number') return null;
  const path = naming.pathOf(target);
  if (attribute === 'id' || attribute === 'self_link') return path?.text ?? target.address;
  return path?.isKnown.at(-1) === true
    ? path.text.slice(path.text.lastIndexOf('/') + 1)
    : target.address;
}
