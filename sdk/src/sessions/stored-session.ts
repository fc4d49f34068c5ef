import type { Refresh, SessionTokens } from '../options.ts';
import type { BrowserSession } from './cookie-session.ts';
import { Listeners } from './events.ts';
import { endOf, isFresh } from './expiry.ts';
import type { SessionStore, StoredSession } from './stores.ts';
import { joinTabs, type Message } from './tabs.ts';

/** How often a page looks for the tokens that another one has renewed, and the pause between two looks. */
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

  /**
   * Reads the store, and again while it has what another page may have replaced: browsers copy storage between their
   * processes, so the lock of a page, or the answer to its request, may arrive before the tokens it has renewed.
   */
  async function readUntil(isDone: (stored: StoredSession | null) => boolean, looks: number) {
    let stored = await read();
    for (let left = looks; left > 0 && !isDone(stored); left -= 1) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      stored = await read();
    }
    return stored;
  }

  /** Reads the store first, because another page may have renewed or ended the session. */
  async function renewAlone(refused: string, refresh: Refresh, wasBusy = false): Promise<void> {
    const isOther = (one: StoredSession | null) => !one || isNewer(one, refused);
    const stored = await readUntil(isOther, wasBusy ? LOOKS : 0);
    if (!stored || isNewer(stored, refused)) return;
    try {
      await refresh(stored.refreshToken);
    } catch (error) {
      if ((error as { status?: number }).status !== 401) throw error;
      // Refused because another one was faster, where there is no lock or its tokens have not arrived yet.
      const isChanged = (one: StoredSession | null) => one?.refreshToken !== stored.refreshToken;
      const newest = await readUntil(isChanged, tabs ? LOOKS : 0);
      if (newest && isChanged(newest)) return;
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
