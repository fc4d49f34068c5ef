/** A value of the query string as text; undefined if it is missing, empty or something else. */
export function searchText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Removes the query string from the address and the history, because a token in it has been used. */
export function forgetQuery(): void {
  history.replaceState(history.state, '', location.pathname);
}
