import { child, isObject, items, type JsonObject, type JsonValue } from '../json.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

/**
 * A boolean in the metadata of an instance, or in the common metadata of a project. The guest software treats TRUE,
 * true, 1, yes and Y as true, and every other value as false.
 *
 * @param metadata `metadata` of an Instance, `commonInstanceMetadata` of a Project: `{ items: [{ key, value }] }`
 * @returns null if the key is not set
 */
export function metadataSwitch(metadata: JsonObject | null, key: string): boolean | null {
  for (const item of items(metadata, 'items', 'item')) {
    if (isObject(item) && item.key === key) return isAffirmative(item.value);
  }
  return null;
}

/** The metadata of an instance. */
export function metadataOf(instance: JsonObject): JsonObject | null {
  return child(instance, 'metadata');
}

/** Whether a value of metadata means true. */
export function isAffirmative(value: JsonValue | undefined): boolean {
  if (value === true || value === 1) return true;
  return (
    typeof value === 'string' && ['true', '1', 'yes', 'y'].includes(value.trim().toLowerCase())
  );
}
