/** The page that a sign-in opens when no screen asked for it. */
const HOME = '/console/';

/**
 * The address to open after a sign-in. The value comes from the query string, so everything that is not a path of the
 * console leads to its home: no other origin, and no script.
 */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return HOME;
  const url = new URL(next, location.origin);
  if (url.origin !== location.origin) return HOME;
  const path = url.pathname.startsWith(HOME) ? url.pathname : `/console${url.pathname}`;
  return path.startsWith('/console/sign-in') ? HOME : path + url.search + url.hash;
}
