import type { JsonObject, JsonValue } from '../json.ts';
import { type ApiForm, inApiForm } from './api-form.ts';

/** How a Terraform resource becomes an asset of the inventory. */
export interface Mapping {
  /** As Cloud Asset Inventory names it. */
  readonly assetType: string;
  /**
   * The path of the full resource name, with attributes in braces: `projects/{project}/zones/{zone}/disks/{name}`. One
   * that is not known is filled with the address of the resource.
   */
  readonly path: string;
  readonly form?: ApiForm;
  /** What the spelling alone does not do. */
  reshape?(data: JsonObject, values: JsonObject): JsonObject;
}

/** Without members of the value undefined. */
export function defined(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = Object.entries(members).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

/** The description of the resource, in the form of the API. */
export function dataOf(mapping: Mapping, values: JsonObject): JsonObject {
  const data = inApiForm(values, mapping.form ?? {});
  return mapping.reshape?.(data, values) ?? data;
}
