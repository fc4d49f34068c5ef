/** Loads the cache, or returns the one that is loaded. */
export function loadQueries(): Promise<typeof import('./queries.ts')> {
  return import('./queries.ts');
}
