import {
  type AuthChangePasswordInput,
  type AuthLoginInput,
  type Cspm,
  createClient,
  type SessionSource,
} from '@cspm/sdk';
import { cookieSession } from '@cspm/sdk/session';
import { connectionHooks } from './connection.ts';
import { forgetDrafts } from './lib/kept-drafts.ts';
import { createStore } from './lib/store.ts';
import { endStepUp, stepUpFetch } from './step-up.ts';
import { toast } from './ui/Toasts.tsx';

/** Long enough for a slow answer, short enough that a spent rate limit is shown instead of waited for. */
const TIMEOUT_MS = 20_000;

/** The session of the browser: a cookie that no script can read, shared by all tabs. */
export const session = cookieSession();

/** The client for whoever is signed in. It renews the session by itself. */
export const anyonesApi: Cspm = clientOf(session);

/** The client of the API, which sends nothing for others than the person and the tenant that the screen shows. */
export let api: Cspm = clientOf(session);

/** Lets `api` use a session from now on. Calls that were begun before keep theirs. */
export function bindApi(source: SessionSource): void {
  api = clientOf(source);
  endStepUp();
}

function clientOf(source: SessionSource): Cspm {
  return createClient({
    baseUrl: location.origin,
    timeoutMs: TIMEOUT_MS,
    hooks: connectionHooks,
    fetch: stepUpFetch(source, TIMEOUT_MS),
    session: source,
  });
}

export type SessionState = 'signed-in' | 'signed-out';

/** Whether somebody seems to be signed in. The first call shows whether the session is still valid. */
export const sessionState = createStore<SessionState>(
  session.isSignedIn ? 'signed-in' : 'signed-out',
);

// Uses the event rather than the browser's storage, because a change by another tab arrives there later than the event.
session.subscribe((event) => sessionState.set(event));
sessionState.subscribe(endStepUp);

/** Whether the person is signing out here, so that they need no explanation. */
let isLeaving = false;

/** Calls a listener when the session has ended and nobody signed out on this page. */
export function onSessionLost(listener: () => void): void {
  session.subscribe((event) => {
    if (event === 'signed-out' && !isLeaving) listener();
  });
}

/**
 * Calls a listener when a session was opened or raised, here or in another tab. Another tab may have signed in somebody
 * else.
 */
export function onSessionOpened(listener: () => void): void {
  session.subscribe((event) => {
    if (event === 'signed-in') listener();
  });
}

/** @throws {ApiError} INVALID_CREDENTIALS, TOTP_REQUIRED, RATE_LIMITED and others. */
export function signIn(input: AuthLoginInput): Promise<void> {
  return openSession(api.auth.login(input));
}

/** Waits for a call that opens a session, such as `api.auth.exchange`. The client takes up its session. */
export async function openSession(call: PromiseLike<unknown>): Promise<void> {
  await call;
}

/** A new sign-in opens another session, so signing out of that one would not end this one. */
const NOT_ENDED =
  'You are signed out here, but the server could not end the session. Sign in again and choose Sign out everywhere, or it ends by itself within 7 days.';

/** Ends the session on the server and in all tabs. In this browser it ends even if the server cannot be reached. */
export async function signOut(): Promise<void> {
  await leave(() => api.auth.logout({}).catch(() => toast(NOT_ENDED, { tone: 'bad' })));
}

/** Ends every session of the person, in all browsers. */
export async function signOutEverywhere(): Promise<void> {
  await leave(() => api.auth.logoutAll());
}

/** Changes the password. The server ends every session of the person, this one included. */
export async function changePassword(input: AuthChangePasswordInput): Promise<void> {
  isLeaving = true;
  try {
    await api.auth.changePassword(input);
    sessionEnded();
  } finally {
    isLeaving = false;
  }
}

async function leave(end: () => PromiseLike<unknown>): Promise<void> {
  isLeaving = true;
  try {
    await end();
    forgetDrafts();
    sessionEnded();
  } finally {
    isLeaving = false;
  }
}

/** The server refused the session: it expired, or was ended somewhere else. */
export function sessionEnded(): void {
  if (session.isSignedIn) void session.clear();
  sessionState.set('signed-out');
}
