import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** The operations of JSON Patch (RFC 6902) that fixes consist of. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

export const PATCH_LIMITS = { operations: 500, depth: 64, pathCharacters: 4_096 } as const;

/** The patch is malformed, beyond the limits, or does not fit the document. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/**
 * Applies a patch to a copy of a document and returns the copy.
 *
 * @throws {PatchError} if an operation fails; nothing is applied then (RFC 6902 §5)
 */
export function applyPatch(document: JsonValue, patch: readonly PatchOperation[]): JsonValue {
  if (patch.length > PATCH_LIMITS.operations) {
    throw new PatchError(`The patch has more than ${PATCH_LIMITS.operations} operations.`);
  }
  return patch.reduce<JsonValue>(applyInPlace, structuredClone(document));
}

/**
 * Applies one operation to a document that nobody else holds, without copying it.
 *
 * @returns the document; another one if the operation replaces it as a whole
 */
export function applyInPlace(document: JsonValue, operation: PatchOperation): JsonValue {
  const path = segmentsOf(operation.path);
  const last = path.at(-1);
  if (last === undefined) return atRoot(document, operation);
  const parent = path.slice(0, -1).reduce<JsonValue>(step, document);
  if (Array.isArray(parent)) inArray(parent, last, operation);
  else if (isObject(parent)) inObject(parent, last, operation);
  else throw new PatchError(`There is nothing at ${operation.path}.`);
  return document;
}

/** A JSON Pointer (RFC 6901) from unescaped segments. */
export function pointerOf(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function segmentsOf(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) {
    throw new PatchError('A path is not a JSON Pointer.');
  }
  const segments = pointer.slice(1).split('/');
  if (pointer.length > PATCH_LIMITS.pathCharacters || segments.length > PATCH_LIMITS.depth) {
    throw new PatchError('A path is too long.');
  }
  return segments.map((segment) => {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    // An assignment to it would replace the prototype of the copy.
    if (name === '__proto__') throw new PatchError('A path contains __proto__.');
    return name;
  });
}

function atRoot(document: JsonValue, operation: PatchOperation): JsonValue {
  if (operation.op === 'remove') throw new PatchError('The whole document cannot be removed.');
  if (operation.op !== 'test') return structuredClone(operation.value);
  return tested(document, operation);
}

/** The child of a value; it must be there. */
function step(node: JsonValue, segment: string): JsonValue {
  if (Array.isArray(node)) {
    const list: readonly JsonValue[] = node;
    const element = list[indexIn(list.length, segment)];
    if (element !== undefined) return element;
  }
  const member = isObject(node) && Object.hasOwn(node, segment) ? node[segment] : undefined;
  if (member === undefined) throw new PatchError(`There is nothing at ${segment.slice(0, 100)}.`);
  return member;
}

function inArray(list: JsonValue[], segment: string, operation: PatchOperation): void {
  if (operation.op === 'add') {
    const index = segment === '-' ? list.length : indexIn(list.length + 1, segment);
    list.splice(index, 0, structuredClone(operation.value));
    return;
  }
  const index = indexIn(list.length, segment);
  if (operation.op === 'remove') list.splice(index, 1);
  else if (operation.op === 'replace') list[index] = structuredClone(operation.value);
  else tested(list[index], operation);
}

function inObject(parent: JsonObject, segment: string, operation: PatchOperation): void {
  const present = operation.op === 'add' ? undefined : step(parent, segment);
  const members = parent as Record<string, JsonValue>;
  if (operation.op === 'remove') delete members[segment];
  else if (operation.op === 'test') tested(present, operation);
  else members[segment] = structuredClone(operation.value);
}

function indexIn(bound: number, segment: string): number {
  const index = /^(?:0|[1-9]\d{0,8})$/.test(segment) ? Number(segment) : bound;
  if (index < bound) return index;
  throw new PatchError(`The array has no element ${segment.slice(0, 100)}.`);
}

function tested(
  value: JsonValue | undefined,
  { path, value: expected }: Extract<PatchOperation, { readonly value: JsonValue }>,
): JsonValue {
  if (value !== undefined && isSame(value, expected)) return value;
  throw new PatchError(`The value at ${path} differs.`);
}

/** Equality of JSON values (RFC 6902 §4.6). */
function isSame(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const other: readonly JsonValue[] = b;
    return (
      a.length === b.length &&
      a.every((element: JsonValue, index) => isSame(element, other[index] ?? null))
    );
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSame(a[name] ?? null, b[name] ?? null))
    );
  }
  return a === b;
}
