import { child, isObject, type JsonObject, type JsonValue, strings, text } from '../json.ts';
import { type AddressStep, parseAddress } from './address.ts';

/** A module instance: its address, and its steps. The root is ''. */
export interface ModuleInstance {
  /** `module.net["eu"].module.vpc` */
  readonly address: string;
  /** The names of the module calls, from the root on. */
  readonly calls: readonly string[];
  /** The key of each call; null without count and for_each. */
  readonly keys: readonly (string | null)[];
}

/** A resource, or all instances of one, to which an expression refers. */
export interface ReferredResource {
  /** The address of the module instance; null if it may be any instance of the call. */
  readonly module: string | null;
  readonly calls: readonly string[];
  readonly type: string;
  readonly name: string;
  /** The key of the instance; null if the expression does not determine it. */
  readonly key: string | null;
  /** The attribute that is read; null for the whole resource. */
  readonly attribute: string | null;
}

/** The targets of an expression, if the plan shows them. */
export interface Referred {
  readonly resources: readonly ReferredResource[];
  /** Whether the value consists of these resources only, without a local value or a data source. */
  readonly isComplete: boolean;
}

const ROOT: ModuleInstance = { address: '', calls: [], keys: [] };

/** Maximum number of modules that a reference is followed through, since a forged plan may have cycles. */
const STEPS_MAX = 500;

/** The module instance of a resource with this address. */
export function moduleOf(address: string): ModuleInstance {
  const steps = parseAddress(address) ?? [];
  const calls: string[] = [];
  const keys: (string | null)[] = [];
  for (let at = 0; at + 1 < steps.length && steps[at]?.name === 'module'; at += 2) {
    const call = steps[at + 1];
    if (call === undefined) break;
    calls.push(call.name);
    keys.push(call.key);
  }
  return { address: moduleAddress(calls, keys), calls, keys };
}

function moduleAddress(calls: readonly string[], keys: readonly (string | null)[]): string {
  return calls
    .map((call, at) => {
      const key = keys[at] ?? null;
      if (key === null) return `module.${call}`;
      return `module.${call}[${/^\d+$/.test(key) ? key : `"${key}"`}]`;
    })
    .join('.');
}

/** The configuration in a plan; empty for a state, which has none. */
export class Configuration {
  readonly #document: JsonObject;
  readonly #modules = new Map<string, JsonObject | null>();
  readonly #resources = new Map<string, ReadonlyMap<string, JsonObject>>();
  readonly #references = new WeakMap<object, References>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** The configuration of a resource; null if the document does not contain it. */
  resource(module: ModuleInstance, type: string, name: string): JsonObject | null {
    return this.#resourcesOf(module.calls).get(`${type}.${name}`) ?? null;
  }

  /**
   * A setting of the provider of a resource, such as `project` or `region`; null if the document does not contain it.
   *
   * @param resource the result of `resource`
   */
  providerSetting(resource: JsonObject | null, setting: string): string | null {
    const providers = child(child(this.#document, 'configuration'), 'provider_config');
    const key = text(resource, 'provider_config_key');
    const keys = key === null ? ['google', 'google-beta'] : [key, key.slice(key.indexOf(':') + 1)];
    for (const one of keys) {
      const expression = child(child(child(providers, one), 'expressions'), setting);
      const value = this.#constant(expression);
      if (value !== null) return value;
    }
    return null;
  }

  /** The value of a constant expression, or a variable, of the root module. */
  #constant(expression: JsonObject | null): string | null {
    const constant = text(expression, 'constant_value');
    if (constant !== null) return constant;
    for (const reference of strings(expression, 'references')) {
      const variable = /^var\.([\w-]+)$/.exec(reference)?.[1];
      const value = text(child(child(this.#document, 'variables'), variable ?? ''), 'value');
      if (value !== null) return value;
    }
    return null;
  }

  /** The targets of an expression of a resource, followed through variables and outputs of modules and `for_each`. */
  referred(expression: JsonValue | undefined, resource: JsonObject | null, at: Scope): Referred {
    const search: Search = { resources: new Map(), isComplete: true, steps: 0 };
    this.#follow(expression, resource, at, search);
    return { resources: [...search.resources.values()], isComplete: search.isComplete };
  }

  #follow(
    expression: JsonValue | undefined,
    owner: JsonObject | null,
    at: Scope,
    search: Search,
  ): void {
    const { usesKey, mostSpecific } = this.#referencesOf(expression);
    if (mostSpecific.length >= STEPS_MAX) {
      // Stops early, because following it to the limit for each resource is too expensive.
      search.isComplete = false;
      return;
    }
    for (const reference of mostSpecific) {
      search.steps += 1;
      if (search.steps > STEPS_MAX) search.isComplete = false;
      if (!search.isComplete && search.steps > STEPS_MAX) return;
      this.#followOne(reference, owner, { ...at, usesKey }, search);
    }
  }

  /** Cached by expression: many thousands of instances may share one `for_each`. */
  #referencesOf(expression: JsonValue | undefined): References {
    if (typeof expression !== 'object' || expression === null) return NO_REFERENCES;
    const known = this.#references.get(expression);
    if (known !== undefined) return known;
    const all = referencesIn(expression);
    const references = {
      usesKey: all.some((one) => /^(each\.|count\.index$)/.test(one)),
      mostSpecific: mostSpecificOf(all).map(parseAddress),
    };
    this.#references.set(expression, references);
    return references;
  }

  #followOne(
    steps: readonly AddressStep[] | null,
    owner: JsonObject | null,
    at: Scope & { readonly usesKey: boolean },
    search: Search,
  ): void {
    const [first, second, third] = steps ?? [];
    if (first === undefined) {
      search.isComplete = false;
      return;
    }
    switch (first.name) {
      case 'count':
      case 'path':
      case 'terraform':
        return;
      case 'each':
        if (second?.name !== 'value') return;
        this.#followEach(owner, at, search);
        return;
      case 'var':
        this.#followVariable(second?.name ?? '', at.module, search);
        return;
      case 'module':
        if (second === undefined || third === undefined) search.isComplete = false;
        else this.#followOutput(second.name, second.key, third.name, at, search);
        return;
      case 'data':
        this.#followData(second?.name ?? '', third?.name ?? '', at, search);
        return;
      case 'local':
      case 'self':
        search.isComplete = false;
        return;
      default:
        if (second === undefined) search.isComplete = false;
        else {
          add(search, {
            module: at.module.address,
            calls: at.module.calls,
            type: first.name,
            name: second.name,
            key: second.key ?? (at.usesKey ? at.key : null),
            attribute: third?.name ?? null,
          });
        }
    }
  }

  /** `each.value`: an element of `for_each`. If that is a resource, the value is its instance with the same key. */
  #followEach(owner: JsonObject | null, at: Scope, search: Search): void {
    const before = search.resources.size;
    this.#follow(owner?.['for_each_expression'], null, { ...at, key: null }, search);
    if (search.resources.size === before + 1) {
      const [name, only] = [...search.resources].at(-1) ?? [];
      if (name !== undefined && only !== undefined && only.key === null) {
        search.resources.delete(name);
        add(search, { ...only, key: at.key });
      }
    }
  }

  /** The expression that the module call passes for a variable; the default of an omitted one is known. */
  #followVariable(name: string, module: ModuleInstance, search: Search): void {
    const parent = parentOf(module);
    if (parent === null) return;
    const call = this.#call(module.calls);
    const expression = child(child(call, 'expressions'), name);
    if (expression === null) return;
    const key = module.keys.at(-1) ?? null;
    this.#follow(expression, call, { module: parent, key }, search);
  }

  #followOutput(
    name: string,
    key: string | null,
    output: string,
    at: Scope & { readonly usesKey: boolean },
    search: Search,
  ): void {
    const calls = [...at.module.calls, name];
    const module = this.#module(calls);
    const expression = child(child(module, 'outputs'), output)?.['expression'];
    if (expression === undefined) {
      search.isComplete = false;
      return;
    }
    const call = this.#call(calls);
    const isRepeated =
      call?.['for_each_expression'] !== undefined || call?.['count_expression'] !== undefined;
    const chosen = key ?? (isRepeated && at.usesKey ? at.key : null);
    const keys = [...at.module.keys, chosen];
    const inside: ModuleInstance = {
      address: isRepeated && chosen === null ? ANY : moduleAddress(calls, keys),
      calls,
      keys,
    };
    this.#follow(expression, null, { module: inside, key: null }, search);
  }

  /** The search criteria of a data source that is read only after apply. */
  #followData(type: string, name: string, at: Scope, search: Search): void {
    const data = this.#resourcesOf(at.module.calls).get(`data.${type}.${name}`) ?? null;
    const before = search.resources.size;
    this.#follow(data?.['expressions'], data, { ...at, key: null }, search);
    if (search.resources.size === before) search.isComplete = false;
  }

  #call(calls: readonly string[]): JsonObject | null {
    const parent = this.#module(calls.slice(0, -1));
    return child(child(parent, 'module_calls'), calls.at(-1) ?? '');
  }

  #module(calls: readonly string[]): JsonObject | null {
    if (calls.length === 0) return child(child(this.#document, 'configuration'), 'root_module');
    const name = calls.join('.');
    const known = this.#modules.get(name);
    if (known !== undefined) return known;
    const module = child(this.#call(calls), 'module');
    this.#modules.set(name, module);
    return module;
  }

  #resourcesOf(calls: readonly string[]): ReadonlyMap<string, JsonObject> {
    const path = calls.join('.');
    const known = this.#resources.get(path);
    if (known !== undefined) return known;
    const resources = new Map<string, JsonObject>();
    const list = this.#module(calls)?.['resources'];
    for (const resource of Array.isArray(list) ? list : []) {
      if (!isObject(resource)) continue;
      const address = `${text(resource, 'type')}.${text(resource, 'name')}`;
      resources.set(text(resource, 'mode') === 'data' ? `data.${address}` : address, resource);
    }
    this.#resources.set(path, resources);
    return resources;
  }
}

/** The context of an expression: the module instance, and the key of the resource's own instance. */
export interface Scope {
  readonly module: ModuleInstance;
  readonly key: string | null;
}

/** The parsed references of an expression. */
interface References {
  /** Whether it contains `each` or `count.index`. */
  readonly usesKey: boolean;
  /** The steps of each reference; null for one that is not an address. */
  readonly mostSpecific: readonly (readonly AddressStep[] | null)[];
}

const NO_REFERENCES: References = { usesKey: false, mostSpecific: [] };

interface Search {
  readonly resources: Map<string, ReferredResource>;
  isComplete: boolean;
  steps: number;
}

/** The address of a module instance that the expression does not determine. */
const ANY = '*';

function add(search: Search, resource: ReferredResource): void {
  const module = resource.module === ANY ? null : resource.module;
  const { calls, type, name, key } = resource;
  search.resources.set(`${module ?? ANY} ${calls.join('.')} ${type}.${name} ${key}`, {
    ...resource,
    module,
  });
}

function parentOf(module: ModuleInstance): ModuleInstance | null {
  if (module.calls.length === 0) return null;
  if (module.calls.length === 1) return ROOT;
  const calls = module.calls.slice(0, -1);
  const keys = module.keys.slice(0, -1);
  return { address: module.address === ANY ? ANY : moduleAddress(calls, keys), calls, keys };
}

/** All references of an expression, or of the expressions of a block. */
function referencesIn(expression: JsonValue | undefined): readonly string[] {
  const found: string[] = [];
  const pending: (JsonValue | undefined)[] = [expression];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const element of next) pending.push(element);
    else if (isObject(next)) {
      for (const reference of strings(next, 'references')) found.push(reference);
      for (const [name, value] of Object.entries(next)) {
        if (name !== 'references' && name !== 'constant_value') pending.push(value);
      }
    }
  }
  return found;
}

/** Real references have few steps. For longer, forged ones, no more prefixes are checked, so the work stays linear. */
const PREFIXES_MAX = 32;

/** Terraform lists `a.b.c`, `a.b` and so on for one reference: the longest ones are sufficient. */
function mostSpecificOf(references: readonly string[]): readonly string[] {
  const longest: string[] = [];
  const prefixes = new Set<string>();
  for (const reference of [...new Set(references)].toSorted((a, b) => b.length - a.length)) {
    if (prefixes.has(reference)) continue;
    longest.push(reference);
    if (longest.length >= STEPS_MAX) break;
    let left = PREFIXES_MAX;
    for (let at = 1; at < reference.length && left > 0; at += 1) {
      if (reference[at] !== '.' && reference[at] !== '[') continue;
      prefixes.add(reference.slice(0, at));
      left -= 1;
    }
  }
  return longest;
}
