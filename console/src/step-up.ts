import type { SessionSource } from '@cspm/sdk';
import { lockedFetch } from './lib/session-lock.ts';
import { createStore } from './lib/store.ts';

export interface StepUpRequest {
  /** @param isVerified whether the person has entered a valid code. */
  readonly done: (isVerified: boolean) => void;
}

/** The request that waits for a second factor; null: none. */
export const stepUp = createStore<StepUpRequest | null>(null);

let asked: Promise<boolean> | null = null;

/**
 * A `fetch` that asks for the second factor when the API requires one, and then sends the request again. It replaces the
 * `onStepUp` of the SDK, which counts the wait for the person as part of the time limit of the call.
 * @param session whose token the dialog replaces.
 * @param timeoutMs the time limit of the repeated request. That of the call may be over by then.
 */
export function stepUpFetch(session: SessionSource, timeoutMs: number): typeof fetch {
  const current = () => session.tokens && `Bearer ${session.tokens.accessToken}`;
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const refused = headers.get('authorization');
    const response = await lockedFetch(input, init);
    if (response.status !== 403) return response;
    // Read now: the signal of the call ends the body with its time limit.
    const text = await response.text();
    const refusal = new Response(text, response);
    if (!/"code":\s*"MFA_REQUIRED"/.test(text)) return refusal;
    try {
      if (current() === refused && !(await askOnce())) {
        if (current() === refused) return refusal;
        // The token was renewed meanwhile. With this code, the SDK does not repeat the request with it.
        return new Response(text.replace('"MFA_REQUIRED"', '"FORBIDDEN"'), response);
      }
      const token = current();
      if (token === undefined || token === refused) return refusal;
      headers.set('authorization', token);
    } catch {
      // The session belongs to somebody else. The SDK finds that out too, and ends the call.
      return refusal;
    }
    return fetch(input, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
  };
}

/** Ends the request for a second factor. It must not wait for the next person who signs in, here or in another tab. */
export function endStepUp(): void {
  stepUp.get()?.done(false);
}

/**
 * Opens the step-up dialog, once for all requests that are refused meanwhile, and waits until it closes. The dialog verifies
 * the code itself so that a wrong one can be corrected in place.
 * @returns whether the person has entered a valid code.
 */
function askOnce(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => stepUp.set({ done: resolve })).finally(() => {
    asked = null;
    stepUp.set(null);
  });
  return asked;
}
