/** Each tells whether the person would lose something now by leaving the page. */
const checks = new Set<() => boolean>();

/** @returns a function that withdraws the check. */
export function watchUnsavedWork(check: () => boolean): () => void {
  checks.add(check);
  return () => {
    checks.delete(check);
  };
}

export function hasUnsavedWork(): boolean {
  return [...checks].some((check) => check());
}
