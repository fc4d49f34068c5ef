/** A session as a store keeps it. */
export interface StoredSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Where `storedSession` keeps a session. */
export interface SessionStore {
  /** What is stored; nothing: there is no session. */
  load(): StoredSession | null | undefined | Promise<StoredSession | null | undefined>;
  save(session: StoredSession): void | Promise<void>;
  clear(): void | Promise<void>;
  /** The name under which the pages of a browser share the store; left out: this page has it to itself. */
  readonly name?: string | undefined;
  /** Runs work while nobody else who shares the store does; left out: pages use a Web Lock of the name. */
  readonly exclusive?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}

const KEY = 'cspm.session';

/** Keeps a session in memory: it ends with the page or the program. Clients that get the same store share the session. */
export function memoryStore(): SessionStore {
  let stored: StoredSession | undefined;
  let last: Promise<unknown> | undefined;
  return {
    // Two clients that renew at the same time would send one refresh token twice, and the refused one would sign out.
    exclusive<T>(work: () => Promise<T>): Promise<T> {
      const turn = last ? last.then(work, work) : work();
      last = turn;
      return turn;
    },
    load: () => stored,
    save(session) {
      stored = session;
    },
    clear() {
      stored = undefined;
    },
  };
}

/** Keeps a session in `localStorage`: all pages of the origin share it. */
export function localStorageStore(key = KEY): SessionStore {
  return { ...webStore(() => globalThis.localStorage, key), name: key };
}

/** Keeps a session in `sessionStorage`: it ends with the tab. */
export function sessionStorageStore(key = KEY): SessionStore {
  return webStore(() => globalThis.sessionStorage, key);
}

function webStore(storage: () => Storage, key: string): SessionStore {
  return {
    load: () => parseSession(storage().getItem(key)),
    save: (session) => storage().setItem(key, JSON.stringify(session)),
    clear: () => storage().removeItem(key),
  };
}

/** @returns undefined for anything but a session, such as what another program or version has written. */
export function parseSession(text: string | null): StoredSession | undefined {
  try {
    const { accessToken, refreshToken, expiresAt } = JSON.parse(`${text}`);
    return typeof accessToken === 'string' && typeof refreshToken === 'string'
      ? { accessToken, refreshToken, expiresAt: Number(expiresAt) || 0 }
      : undefined;
  } catch {
    return undefined;
  }
}
