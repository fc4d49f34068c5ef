/** Bumped when the shape of what is shared changes, so that two versions of this package never misread each other. */
const REGISTRY = Symbol.for('@cspm/sdk/1');

/** Entries kept: a process that uses more credentials than that begins anew. */
const MAX_ENTRIES = 1000;

/**
 * One value per key in the whole process, even where this package is loaded twice (as ESM and as CommonJS, or in two
 * versions): a budget or a limit that each copy counted for itself would not bound anything.
 */
export function shared<T>(key: string, create: () => T): T {
  const holder = globalThis as { [REGISTRY]?: Map<string, unknown> };
  holder[REGISTRY] ??= new Map();
  const registry = holder[REGISTRY];
  if (registry.size > MAX_ENTRIES) registry.clear();
  const value = (registry.get(key) as T | undefined) ?? create();
  registry.set(key, value);
  return value;
}
