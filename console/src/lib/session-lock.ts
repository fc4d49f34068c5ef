/** The name of the lock under which the SDK renews the session of all tabs. */
const NAME = 'cspm.session';
/** As in the SDK: a suspended tab that holds the lock must not block the others. */
const WAIT_MS = 3_000;
/** Requests whose answer replaces the cookie of the session, apart from the renewal. */
const REPLACES_COOKIE = /\/auth\/(login|google|exchange|confirm|2fa\/verify)$/;

/**
 * A `fetch` that replaces the cookie of the session only while no tab renews the session. The answers of two such requests
 * could arrive in the other order than the server handled them: the browser would keep a spent cookie, whose next use
 * ends the session.
 */
export const lockedFetch: typeof fetch = async (input, init) => {
  const send = () => fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input, location.origin);
  // Left out where a page is not in a secure context.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined || !REPLACES_COOKIE.test(pathname)) return send();
  let answer: Promise<Response> | undefined;
  await locks
    .request(NAME, { signal: AbortSignal.timeout(WAIT_MS) }, async () => {
      answer = send();
      await answer.catch(() => undefined);
    })
    // Only the wait for the lock is over; the answer tells what came of the request.
    .catch(() => undefined);
  return answer ?? send();
};
