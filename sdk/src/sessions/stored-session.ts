import type { Refresh, SessionTokens } from '../options.ts';
import type { BrowserSession } from './cookie-session.ts';
import { Listeners } from './events.ts';
import { endOf, isFresh } from './expiry.ts';
import type { SessionStore, StoredSession } from './stores.ts';
import { joinTabs, type Message } from './tabs.ts';

/** How often a page that waited for another one looks for the tokens of that page, and the pause between two looks. */
const LOOKS = 20;
const LOOK_MS = 50;

/**
 * A session whose tokens a store keeps, over page loads or runs of a program. Whoever shares the store shares the session:
 * the tokens are renewed once, and all are signed out together.
 *
 * Scripts can read what a page stores. Pages that the service itself serves use `cookieSession` instead.
 */
export function storedSession(store: SessionStore): BrowserSession {
  const listeners = new Listeners();
  const { name } = store;
  const tabs = name === undefined ? undefined : joinTabs(name, heard);
  /** What the store had last; undefined: it has not been asked yet. */
  let held: StoredSession | null | undefined;
  let loading: Promise<void> | undefined;
  let renewal: Promise<void> | undefined;

  function heard({ kind }: Message): void {
    if (kind === 'out') forget();
    else if (kind === 'ask') held = held === null ? undefined : held;
  }

  function forget(): void {
    const wasSignedIn = Boolean(held);
    held = null;
    if (wasSignedIn) listeners.tell('signed-out');
  }

  async function end(): Promise<void> {
    await store.clear();
    tabs?.post({ kind: 'out' });
    forget();
  }

  async function read(): Promise<StoredSession | null> {
    held = (await store.load()) ?? null;
    return held;
  }

  /** Reads a store that answers at once. Another one, or none as in a rendering server, is left for the first call. */
  function peek(): void {
    try {
      const stored = store.load();
      // A promise of any kind, such as the query of a database.
      if (stored && 'then' in stored) stored.then(undefined, () => undefined);
      else held = stored ?? null;
    } catch {}
  }

  function exclusive(work: (wasBusy?: boolean) => Promise<void>): Promise<void> {
    return (store.exclusive ?? tabs?.exclusive)?.(work) ?? work();
  }

  function renewOnce(refused: string, refresh: Refresh): Promise<void> {
    renewal ??= exclusive((wasBusy) => renewAlone(refused, refresh, wasBusy)).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  /** Reads the store first, because another page may have renewed or ended the session. */
  async function renewAlone(refused: string, refresh: Refresh, wasBusy = false): Promise<void> {
    let stored = await read();
    // Browsers copy storage between their processes: the lock of another page may arrive before the tokens it has renewed.
    for (
      let left = wasBusy ? LOOKS : 0;
      left > 0 && stored && !isNewer(stored, refused);
      left -= 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      stored = await read();
    }
    if (!stored || isNewer(stored, refused)) return;
    try {
      await refresh(stored.refreshToken);
    } catch (error) {
      if ((error as { status?: number }).status !== 401) throw error;
      // Refused because another one was faster, where there is no lock.
      const newest = await read();
      if (newest && newest.refreshToken !== stored.refreshToken) return;
      await end();
      throw error;
    }
  }

  return {
    get tokens(): SessionTokens | undefined {
      return held ?? undefined;
    },
    get isSignedIn() {
      if (held === undefined) peek();
      return Boolean(held);
    },
    subscribe: listeners.subscribe,
    load() {
      // Pages tell each other of a sign-in; programs that share a file find it there.
      if (held || (held === null && !store.exclusive)) return undefined;
      loading ??= read()
        .then(() => undefined)
        .finally(() => {
          loading = undefined;
        });
      return loading;
    },
    renew: renewOnce,
    async save({ accessToken, refreshToken, expiresIn }, isRenewal) {
      held = { accessToken, refreshToken, expiresAt: endOf(expiresIn) };
      await store.save(held);
      if (isRenewal) return;
      tabs?.post({ kind: 'ask' });
      listeners.tell('signed-in');
    },
    clear: end,
  };
}

function isNewer(stored: StoredSession, refused: string): boolean {
  return stored.accessToken !== refused && isFresh(stored.expiresAt);
}
