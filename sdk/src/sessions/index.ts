export type { Refresh, SessionSource, SessionTokens } from '../options.ts';
export { type BrowserSession, type CookieSessionOptions, cookieSession } from './cookie-session.ts';
export type { SessionEvent } from './events.ts';
export { fileStore } from './file-store.ts';
export { storedSession } from './stored-session.ts';
export {
  localStorageStore,
  memoryStore,
  type SessionStore,
  type StoredSession,
  sessionStorageStore,
} from './stores.ts';
