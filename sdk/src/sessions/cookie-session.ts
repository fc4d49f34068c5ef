import type { Refresh, SessionSource, SessionTokens } from '../options.ts';
import { Listeners, type SessionEvent } from './events.ts';
import { endOf, isFresh } from './expiry.ts';
import { joinTabs, type Message } from './tabs.ts';

/** How long a page waits for another one that may have a token; messages take a few milliseconds. */
const ASK_MS = 50;
/** How long a page waits for the token of another one that is known to have renewed the session. */
const SHARED_MS = 1_000;

/** A session of a page, for the option `session` of `createClient`. */
export interface BrowserSession extends SessionSource {
  /** Whether somebody seems to be signed in: there is a token, or the browser remembers a session. Sends nothing. */
  readonly isSignedIn: boolean;
  /**
   * Calls a listener when the session is opened or raised (`signed-in`) and when it has ended (`signed-out`), in this page or
   * another one of the browser. Another page may have signed in somebody else: reload what belongs to the person.
   * @returns a function that ends the subscription.
   */
  subscribe(listener: (event: SessionEvent) => void): () => void;
}

/** Options of `cookieSession`. */
export interface CookieSessionOptions {
  /** Tells the sessions of several services on one origin apart; `cspm.session` by default. */
  readonly name?: string | undefined;
}

/**
 * The session of pages that the service itself serves. The refresh token is in an HttpOnly cookie, which no script can read;
 * the access token is in memory. All pages of the browser share the access token, renew it once, and sign out together.
 *
 * The `baseUrl` of the client must have the origin of the page.
 */
export function cookieSession({
  name = 'cspm.session',
}: CookieSessionOptions = {}): BrowserSession {
  const listeners = new Listeners();
  const flag = flagOf(name);
  let tokens: SessionTokens | undefined;
  let expiresAt = 0;
  /** Whether the session ended after the renewal began: then its tokens are worth nothing. */
  let isRenewalVoid = false;
  let renewal: Promise<void> | undefined;
  let arrived: (() => void) | undefined;
  const tabs = joinTabs(name, heard);

  function heard(message: Message): void {
    if (message.kind === 'out') {
      // The storage of other processes of the browser may lag behind the message.
      flag.set(false);
      forget();
    } else if (message.kind === 'ask') {
      if (tokens && isFresh(expiresAt)) share();
    } else if (message.expiresAt > expiresAt || !tokens) {
      keep(message.accessToken, message.expiresAt);
      arrived?.();
      if (message.opened) listeners.tell('signed-in');
    }
  }

  function keep(accessToken: string, end: number): void {
    tokens = { accessToken, refreshToken: '' };
    expiresAt = end;
  }

  function share(opened = false): void {
    if (tokens) tabs.post({ kind: 'token', accessToken: tokens.accessToken, expiresAt, opened });
  }

  function forget(wasSignedIn = tokens !== undefined): void {
    tokens = undefined;
    expiresAt = 0;
    isRenewalVoid = true;
    if (wasSignedIn) listeners.tell('signed-out');
  }

  function end(): void {
    const wasSignedIn = tokens !== undefined || flag.isSet();
    flag.set(false);
    tabs.post({ kind: 'out' });
    forget(wasSignedIn);
  }

  /** Resolves with whether a token other than the refused one came from another page in time. */
  async function cameWithin(ms: number, refused: string | undefined): Promise<boolean> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, ms);
      arrived = resolve;
    });
    arrived = undefined;
    return isOther(refused);
  }

  function isOther(refused: string | undefined): boolean {
    return tokens !== undefined && tokens.accessToken !== refused && isFresh(expiresAt);
  }

  function renewOnce(refused: string | undefined, refresh: Refresh): Promise<void> {
    renewal ??= tabs
      .exclusive((wasBusy) => renewAlone(refused, refresh, wasBusy))
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  async function renewAlone(
    refused: string | undefined,
    refresh: Refresh,
    wasBusy = false,
  ): Promise<void> {
    isRenewalVoid = false;
    tabs.post({ kind: 'ask' });
    if (isOther(refused) || (await cameWithin(wasBusy ? SHARED_MS : ASK_MS, refused))) return;
    try {
      await refresh().catch(async (error: Refused) => {
        // Another page has just renewed the session: its token comes, or the cookie is the new one.
        if (error.status !== 401 || !error.headers?.has('retry-after')) throw error;
        if (!(await cameWithin(SHARED_MS, refused))) await refresh();
      });
    } catch (error) {
      const { status, headers } = error as Refused;
      if (status === 401 && !headers?.has('retry-after')) end();
      throw error;
    }
  }

  return {
    headers: { 'x-session-transport': 'cookie' },
    get tokens() {
      return tokens;
    },
    get isSignedIn() {
      return tokens !== undefined || flag.isSet();
    },
    subscribe: listeners.subscribe,
    load(refresh) {
      if (tokens ? isFresh(expiresAt) : !flag.isSet()) return undefined;
      return renewOnce(tokens?.accessToken, refresh);
    },
    renew: renewOnce,
    save({ accessToken, expiresIn }, isRenewal) {
      if (isRenewal && isRenewalVoid) return;
      const opened = !isRenewal;
      keep(accessToken, endOf(expiresIn));
      flag.set(true);
      share(opened);
      if (opened) listeners.tell('signed-in');
    },
    clear: end,
  };
}

/**
 * What of an error of the client counts here; an error may be of another copy of the package. `retryAfterMs` does not, because
 * it may be the end of an exhausted rate limit.
 */
interface Refused {
  readonly status?: number;
  readonly headers?: Headers;
}

/** Remembers over page loads that there is a session, so that signed-out pages send no refresh that is refused. */
function flagOf(name: string) {
  return {
    isSet(): boolean {
      try {
        return globalThis.localStorage.getItem(name) !== null;
      } catch {
        // Storage may be blocked: then a refresh shows whether there is a session.
        return true;
      }
    },
    set(isSignedIn: boolean): void {
      try {
        if (isSignedIn) globalThis.localStorage.setItem(name, '1');
        else globalThis.localStorage.removeItem(name);
      } catch {}
    },
  };
}
