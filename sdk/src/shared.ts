/** Bumped when the shape of what is shared changes, so that two versions of this package never misread each other. */
const REGISTRY = Symbol.for('@cspm/sdk/shared/1');

/** Entries kept; the one that was not asked for the longest goes first. */
const MAX_ENTRIES = 1000;

/**
 * One value per key in the whole process, even where this package is loaded twice (as ESM and as CommonJS, or in two
 * versions): a budget or a limit that each copy counted for itself would not bound anything.
 */
export function shared<T>(key: string, create: () => T): T {
  const holder = globalThis as { [REGISTRY]?: Map<string, unknown> };
  holder[REGISTRY] ??= new Map();
  const registry = holder[REGISTRY];
  const value = (registry.get(key) as T | undefined) ?? create();
  registry.delete(key);
  registry.set(key, value);
  const [oldest = key] = registry.keys();
  if (registry.size > MAX_ENTRIES) registry.delete(oldest);
  return value;
}
