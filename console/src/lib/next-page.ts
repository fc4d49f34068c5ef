/** In the storage of the tab: a sign-in at an identity provider leaves the page and returns to another one. */
const KEY = 'cspm-next';

/** Keeps the page to open after a sign-in at an identity provider, or forgets the one of an earlier attempt. */
export function keepNext(next: string | undefined): void {
  if (next === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, next);
}

/** The page that was kept, once. */
export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return next;
}
