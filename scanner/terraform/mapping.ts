import type { JsonObject, JsonValue } from '../json.ts';
import { type ApiForm, inApiForm } from './api-form.ts';

/** How a Terraform resource becomes an asset. */
export interface Mapping {
  /** The asset type in Cloud Asset Inventory. */
  readonly assetType: string;
  /**
   * The path of the full resource name, with attributes in braces: `projects/{project}/zones/{zone}/disks/{name}`. An
   * unknown attribute is replaced by the address of the resource.
   */
  readonly path: string;
  readonly form?: ApiForm;
  /** Conversions beyond the spelling. */
  reshape?(data: JsonObject, values: JsonObject): JsonObject;
}

/** The object without members that are undefined. */
export function defined(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = Object.entries(members).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

/** The description of the resource in the form of the API. */
export function dataOf(mapping: Mapping, values: JsonObject): JsonObject {
  const data = inApiForm(values, mapping.form ?? {});
  return mapping.reshape?.(data, values) ?? data;
}
