import { COMPUTE } from './compute.ts';
import { DATA_SERVICES } from './data-services.ts';
import { KUBERNETES } from './kubernetes.ts';
import { MANAGEMENT } from './management.ts';
import type { Mapping } from './mapping.ts';
import { SERVERLESS } from './serverless.ts';

/** How resources of the Google provider become assets, by type. */
export const MAPPINGS: Readonly<Record<string, Mapping>> = {
  ...COMPUTE,
  ...DATA_SERVICES,
  ...KUBERNETES,
  ...MANAGEMENT,
  ...SERVERLESS,
};

/** The mapping of a resource type; undefined if there is none. */
export function mappingOf(type: string): Mapping | undefined {
  return Object.hasOwn(MAPPINGS, type) ? MAPPINGS[type] : undefined;
}
