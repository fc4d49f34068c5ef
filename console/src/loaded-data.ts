/**
 * What screens have loaded from the API. The cache itself is in `queries.ts`, which is loaded with the first screen behind
 * the sign-in: the sign-in page works without.
 */
const clearings = new Set<() => void>();

/** Calls a function whenever the loaded data is to be forgotten. */
export function onForget(clear: () => void): void {
  clearings.add(clear);
}

/** Forgets all loaded data, because it may belong to somebody else. */
export function forgetData(): void {
  for (const clear of clearings) clear();
}
