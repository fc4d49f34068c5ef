/** The longest wait for the other pages of the browser. */
const LOCK_MS = 3_000;

/** A message between pages that share a session. */
export type Message =
  | {
      readonly kind: 'token';
      readonly accessToken: string;
      readonly expiresAt: number;
      /** Whether it is of a sign-in and not of a renewal. */
      readonly opened: boolean;
    }
  | { readonly kind: 'ask' }
  | { readonly kind: 'out' };

/** The other pages of the same origin that share the session of a name. */
export interface Tabs {
  /** Sends a message to all other pages. */
  post(message: Message): void;
  /**
   * Runs work while no other page does. After 3 seconds it runs without the lock, because a suspended page that holds the
   * lock must not block the others.
   * @param work receives whether another page had the lock before.
   */
  exclusive<T>(work: (wasBusy?: boolean) => Promise<T>): Promise<T>;
}

/** Joins the pages that share the session of a name. Without a browser there are none. */
export function joinTabs(name: string, heard: (message: Message) => void): Tabs {
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined;
  // Node has channels as well, and an open one would keep the process alive.
  (channel as { unref?(): void } | undefined)?.unref?.();
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => heard(data));
  return {
    post: (message) => channel?.postMessage(message),
    exclusive: (work) => exclusive(name, work),
  };
}

async function exclusive<T>(name: string, work: (wasBusy?: boolean) => Promise<T>): Promise<T> {
  // Left out where a page is not in a secure context; the server then bears two refreshes at once.
  const locks = (globalThis.navigator as Navigator | undefined)?.locks as LockManager | undefined;
  if (!locks) return work();
  let result: Promise<T> | undefined;
  await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    result = work();
    await result.catch(() => undefined);
  });
  if (result) return result;
  const signal = AbortSignal.timeout(LOCK_MS);
  await locks
    .request(name, { signal }, async () => {
      result = work(true);
      await result.catch(() => undefined);
    })
    // Only the wait for the lock is over; what the work came to is in the result.
    .catch(() => undefined);
  return result ?? work(true);
}
