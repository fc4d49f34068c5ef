import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/*
 * Fields: cloudresourcemanager v3, discovery revision 20261026.
 */

/**
 * Whether the bindings of a policy have the form of the API, so that what is not found in them is not granted. A policy
 * without bindings grants nothing.
 */
export function hasReadableBindings({ bindings }: JsonObject): boolean {
  return isAbsent(bindings) || (Array.isArray(bindings) && bindings.every(hasReadableMembers));
}

function hasReadableMembers(binding: JsonValue): boolean {
  if (!isObject(binding)) return false;
  const { members } = binding;
  return isAbsent(members) || (Array.isArray(members) && members.every(isString));
}

/** Null stands for the default of a field in the JSON of Google's APIs. */
export function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function isString(value: JsonValue): boolean {
  return typeof value === 'string';
}
