import type { JsonObject, JsonValue } from '../json.ts';

export interface PlannedResource {
  /** `google_storage_bucket.logs` */
  readonly address: string;
  readonly values: JsonObject;
  /** In the shape of `values`: true if a value is known only after apply. */
  readonly unknown?: JsonObject;
  /** In the shape of `values`: true if a value is sensitive. */
  readonly sensitive?: JsonObject;
  /** Its module. Default: the root. */
  readonly module?: string;
  /**
   * Its configuration, if a test needs more than values: expressions in the form of `terraform show -json`. Default:
   * the document does not contain its configuration.
   */
  readonly expressions?: JsonObject;
}

/** An expression that refers to this, as Terraform lists it: the reference, and its resource. */
export function reference(...references: readonly string[]): JsonObject {
  return {
    references: references.flatMap((one) => [one, one.slice(0, one.lastIndexOf('.'))]),
  };
}

/** A constant expression. */
export function constant(value: JsonValue): JsonObject {
  return { constant_value: value };
}

/** The output of `terraform show -json` for a plan that creates these resources. */
export function planOf(...resources: readonly PlannedResource[]): JsonObject {
  const inModule = (module: string | undefined): JsonValue[] =>
    resources.filter((resource) => resource.module === module).map(plannedResource);
  const modules = [...new Set(resources.flatMap(({ module }) => module ?? []))];
  return {
    format_version: '1.2',
    terraform_version: '1.9.8',
    variables: { project: { value: 'shop-prod' } },
    planned_values: {
      root_module: {
        resources: inModule(undefined),
        child_modules: modules.map((module) => ({ address: module, resources: inModule(module) })),
      },
    },
    resource_changes: resources.map((resource) => ({
      address: addressOf(resource),
      mode: 'managed',
      type: typeOf(resource),
      change: {
        actions: ['create'],
        before: null,
        after: resource.values,
        after_unknown: { id: true, ...resource.unknown },
        after_sensitive: resource.sensitive ?? {},
      },
    })),
    configuration: {
      provider_config: {
        google: { name: 'google', expressions: { project: { references: ['var.project'] } } },
      },
      root_module: {
        resources: resources.flatMap(({ address, expressions }) =>
          expressions === undefined ? [] : [configurationOf(address, expressions)],
        ),
      },
    },
  };
}

function configurationOf(address: string, expressions: JsonObject): JsonObject {
  const [type = '', name = ''] = address.replace(/\[.*$/, '').split('.');
  return {
    address: `${type}.${name}`,
    mode: 'managed',
    type,
    name,
    provider_config_key: 'google',
    expressions,
  };
}

function plannedResource(resource: PlannedResource): JsonObject {
  return {
    address: addressOf(resource),
    mode: 'managed',
    type: typeOf(resource),
    name: resource.address.slice(resource.address.indexOf('.') + 1).replace(/\[.*$/, ''),
    ...indexOf(resource.address),
    provider_name: 'registry.terraform.io/hashicorp/google',
    values: resource.values,
    sensitive_values: resource.sensitive ?? {},
  };
}

/** `a` of `google_storage_bucket.logs["a"]` */
function indexOf(address: string): JsonObject {
  const key = /\["?([^"\]]*)"?\]$/.exec(address)?.[1];
  return key === undefined ? {} : { index: key };
}

function addressOf({ module, address }: PlannedResource): string {
  return module === undefined ? address : `${module}.${address}`;
}

function typeOf({ address }: PlannedResource): string {
  return address.slice(0, address.indexOf('.'));
}
