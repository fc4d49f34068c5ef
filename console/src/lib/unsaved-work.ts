/** Each tells whether the person would lose something now by leaving the page. The outermost is first. */
const checks = new Set<() => boolean>();

/** @returns a function that withdraws the check. */
export function watchUnsavedWork(check: () => boolean): () => void {
  checks.add(check);
  return () => {
    checks.delete(check);
  };
}

export function hasUnsavedWork(): boolean {
  return firstUnsavedWork() !== undefined;
}

/** The one that asks, so that a dialog on a page with unsaved work does not ask a second time. */
export function firstUnsavedWork(): (() => boolean) | undefined {
  return [...checks].find((check) => check());
}
