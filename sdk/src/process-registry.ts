/**
 * Increased when the shape of the shared data changes, so that different versions of this package do not misread it.
 */
const REGISTRY = Symbol.for('@cspm/sdk/1');

/** Maximum number of entries. A process with more loses those that it has not used for longest. */
const MAX_ENTRIES = 10_000;

/**
 * One value per key in the whole process, even when this package is loaded twice (as ESM and CommonJS, or in two
 * versions). Budgets and limits counted per copy would have no effect.
 */
export function shared<T>(key: string, create: () => T): T {
  const holder = globalThis as { [REGISTRY]?: Map<string, unknown> };
  holder[REGISTRY] ??= new Map();
  const registry = holder[REGISTRY];
  const value = registry.get(key) ?? create();
  // Moved to the end, so that the first entry is the one that was not used for longest.
  registry.delete(key);
  registry.set(key, value);
  const [oldest = ''] = registry.keys();
  if (registry.size > MAX_ENTRIES) registry.delete(oldest);
  return value as T;
}
