/**
 * Increased when the shape of the shared data changes, so that different versions of this package do not misread it.
 */
const REGISTRY = Symbol.for('@cspm/sdk/1');

/** Maximum number of entries. A process with more credentials starts over. */
const MAX_ENTRIES = 1000;

/**
 * One value per key in the whole process, even when this package is loaded twice (as ESM and CommonJS, or in two
 * versions). Budgets and limits counted per copy would have no effect.
 */
export function shared<T>(key: string, create: () => T): T {
  const holder = globalThis as { [REGISTRY]?: Map<string, unknown> };
  holder[REGISTRY] ??= new Map();
  const registry = holder[REGISTRY];
  if (registry.size > MAX_ENTRIES) registry.clear();
  if (!registry.has(key)) registry.set(key, create());
  return registry.get(key) as T;
}
