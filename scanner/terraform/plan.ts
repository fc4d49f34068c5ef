import {
  child,
  isObject,
  type JsonObject,
  type JsonValue,
  objects,
  strings,
  text,
} from '../json.ts';
import {
  Configuration,
  type ModuleInstance,
  moduleOf,
  type ReferredResource,
} from './configuration.ts';
import { dataSourcesOf, resourcesOf, type TerraformResource } from './document.ts';

/** The resources of the plan to which an expression refers. */
export interface Resolved {
  readonly resources: readonly {
    readonly resource: TerraformResource;
    /** The attribute that is read; null for the whole resource. */
    readonly attribute: string | null;
  }[];
  /** The types of the referenced resources, some of which may not be in the plan. */
  readonly types: ReadonlySet<string>;
  /** Whether the value depends on nothing else that is unknown. */
  readonly isComplete: boolean;
}

const IAM_POLICY = 'google_iam_policy';
/** A reference to more possible instances than this counts as unknown. */
const INSTANCES_MAX = 100;
/** The same limit for the instances of all references of one expression together. */
const ALL_INSTANCES_MAX = 1_000;
const POLICY_REFERENCE = /^data\.google_iam_policy\.([\w-]+)/;

/** The resources of a plan or a state, with the references between them. */
export class Plan {
  readonly resources: readonly TerraformResource[];
  readonly #configuration: Configuration;
  /** By module, type and name, and also by key; `*` and the module calls stand for any module instance. */
  readonly #instances = new Map<string, TerraformResource[]>();
  readonly #policies = new Map<string, JsonObject>();
  /** Provider settings, inferred from resources that use them, by the provider's key. */
  readonly #shown = new Map<string, string>();

  constructor(document: JsonObject) {
    this.#configuration = new Configuration(document);
    const modules = new Map<string, ReturnType<typeof moduleOf>>();
    this.resources = resourcesOf(document).map(({ moduleAddress, ...resource }) => {
      const { type, name } = resource;
      const module = modules.get(moduleAddress) ?? moduleOf(`${moduleAddress}.x.x`);
      modules.set(moduleAddress, module);
      const configuration = this.#configuration.resource(module, type, name);
      return { ...resource, module, configuration };
    });
    for (const { type, name, key, moduleAddress, values } of dataSourcesOf(document, IAM_POLICY)) {
      if (key === null) this.#policies.set(`${moduleAddress} ${type}.${name}`, values);
    }
    for (const resource of this.resources) {
      const { module, type, name } = resource;
      for (const place of [module.address, `* ${module.calls.join('.')}`]) {
        this.#add(`${place} ${type}.${name}`, resource);
        if (resource.key !== null) this.#add(`${place} ${type}.${name}[${resource.key}]`, resource);
      }
      for (const setting of ['project', 'region', 'zone']) this.#show(resource, setting);
    }
  }

  /** The targets of an attribute of a resource. */
  resolve(resource: TerraformResource, expression: JsonValue | undefined): Resolved {
    const { module, key, configuration } = resource;
    const referred = this.#configuration.referred(expression, configuration, { module, key });
    const found = referred.resources.map((one) => ({ one, instances: this.#instancesOf(one) }));
    const isManageable =
      found.every(({ instances }) => instances.length <= INSTANCES_MAX) &&
      found.reduce((sum, { instances }) => sum + instances.length, 0) <= ALL_INSTANCES_MAX;
    return {
      resources: isManageable
        ? found.flatMap(({ one, instances }) =>
            instances.map((instance) => ({ resource: instance, attribute: one.attribute })),
          )
        : [],
      types: new Set(referred.resources.map(({ type }) => type)),
      isComplete: referred.isComplete && isManageable,
    };
  }

  #add(id: string, resource: TerraformResource): void {
    const others = this.#instances.get(id);
    if (others === undefined) this.#instances.set(id, [resource]);
    else others.push(resource);
  }

  /**
   * The known part of the single `google_iam_policy` to which an expression refers in its own module; null for none.
   */
  iamPolicy(module: ModuleInstance, expression: JsonObject | null): JsonObject | null {
    const names = new Set(
      strings(expression, 'references').map((one) => POLICY_REFERENCE.exec(one)?.[1] ?? ''),
    );
    const [name, ...others] = names;
    if (name === undefined || others.length > 0) return null;
    return this.#policies.get(`${module.address} ${IAM_POLICY}.${name}`) ?? null;
  }

  /** The project, region or zone that a resource takes from its provider; null if unknown. */
  providerSetting(resource: TerraformResource, setting: string): string | null {
    return (
      this.#configuration.providerSetting(resource.configuration, setting) ??
      this.#shown.get(`${providerOf(resource)} ${setting}`) ??
      null
    );
  }

  #instancesOf({ module, calls, type, name, key }: ReferredResource): readonly TerraformResource[] {
    const place = module ?? `* ${calls.join('.')}`;
    const id = `${place} ${type}.${name}`;
    const exact = key === null ? undefined : this.#instances.get(`${id}[${key}]`);
    return exact ?? this.#instances.get(id) ?? [];
  }

  #show(resource: TerraformResource, setting: string): void {
    const value = text(resource.values, setting);
    if (value === null || value.includes('\0') || resource.configuration === null) return;
    if (!isUnset(child(resource.configuration, 'expressions')?.[setting])) return;
    const id = `${providerOf(resource)} ${setting}`;
    if (!this.#shown.has(id)) this.#shown.set(id, value);
  }
}

function providerOf({ configuration }: TerraformResource): string {
  return text(configuration, 'provider_config_key') ?? '';
}

/** Whether an expression of the configuration is omitted, or a plain null, which means the same. */
export function isUnset(expression: JsonValue | undefined): boolean {
  return (
    expression === undefined || (isObject(expression) && expression['constant_value'] === null)
  );
}

/** Why resources may be missing in a plan; null for a complete one. */
export function incompleteness(document: JsonObject): string | null {
  if (document['errored'] === true) return 'Terraform failed while it created this plan';
  if (objects(document, 'deferred_changes').length > 0) {
    return 'the plan defers changes to a later one';
  }
  return null;
}
