import type { Refresh, SessionTokens } from '../options.ts';
import type { BrowserSession } from './cookie-session.ts';
import { Listeners } from './events.ts';
import { endOf, isFresh } from './expiry.ts';
import type { SessionStore, StoredSession } from './stores.ts';
import { joinTabs, type Message } from './tabs.ts';

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

  function exclusive(work: () => Promise<void>): Promise<void> {
    return (store.exclusive ?? tabs?.exclusive)?.(work) ?? work();
  }

  function renewOnce(refused: string, refresh: Refresh): Promise<void> {
    renewal ??= exclusive(() => renewAlone(refused, refresh)).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  /** Others may have renewed or ended the session since this page looked: the store knows. */
  async function renewAlone(refused: string, refresh: Refresh): Promise<void> {
    const stored = await read();
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
      return Boolean(held);
    },
    subscribe: listeners.subscribe,
    load() {
      if (held !== undefined) return undefined;
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
