import type { Hooks } from '@cspm/sdk';
import { createStore } from './lib/store.ts';

/** Whether the last request reached the server. */
export const reachable = createStore(true);

/** When the next request may be sent that the rate limit has refused; null: none waits. */
export const pausedUntil = createStore<number | null>(null);

/** Code of the console could not be loaded: the server is away, or a new version has replaced the files. */
export const codeMissing = createStore(false);

/** How many calls the API has refused with 403, because the role may have changed. */
export const refusals = createStore(0);

/** Shorter waits need no message, in milliseconds. */
const SHORT_WAIT_MS = 1500;

/** Keeps the stores above up to date from the calls of the SDK. */
export const connectionHooks: Hooks = {
  onResponse({ operation, status, error }) {
    // A refused sign-in says nothing about a role.
    if (status === 403 && !operation.startsWith('auth.')) refusals.set(refusals.get() + 1);
    if (status !== undefined) reachable.set(true);
    // A proxy may refuse streams of events alone. See `use-live-scan.ts`.
    else if (error?.name === 'TypeError' && operation !== 'scans.events') reachable.set(false);
  },
  onRetry({ reason, delayMs }) {
    if (reason === 'RATE_LIMITED' && delayMs >= SHORT_WAIT_MS)
      pausedUntil.set(Date.now() + delayMs);
  },
};

/** Asks for the start page, which no rate limit counts. Succeeds if the server answers. */
export async function isServerUp(): Promise<boolean> {
  try {
    const { ok } = await fetch(import.meta.env.BASE_URL, { method: 'HEAD', cache: 'no-store' });
    return ok;
  } catch {
    return false;
  }
}
