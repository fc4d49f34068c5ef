import type { JsonObject, JsonValue } from '../json.ts';

interface PlannedResource {
  /** `google_storage_bucket.logs` */
  readonly address: string;
  readonly values: JsonObject;
  /** In the form of `values`: true where a value is known after apply only. */
  readonly unknown?: JsonObject;
  /** The module that it is in; left out: the root. */
  readonly module?: string;
}

/** What `terraform show -json` writes of a plan that makes these resources. */
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
      },
    })),
    configuration: {
      provider_config: {
        google: { name: 'google', expressions: { project: { references: ['var.project'] } } },
      },
    },
  };
}

function plannedResource(resource: PlannedResource): JsonObject {
  return {
    address: addressOf(resource),
    mode: 'managed',
    type: typeOf(resource),
    name: resource.address.slice(resource.address.indexOf('.') + 1),
    provider_name: 'registry.terraform.io/hashicorp/google',
    values: resource.values,
  };
}

function addressOf({ module, address }: PlannedResource): string {
  return module === undefined ? address : `${module}.${address}`;
}

function typeOf({ address }: PlannedResource): string {
  return address.slice(0, address.indexOf('.'));
}
