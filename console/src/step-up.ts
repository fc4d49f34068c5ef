import type { ApiError } from '@cspm/sdk';
import { createStore } from './lib/store.ts';

export interface StepUpRequest {
  readonly error: ApiError;
  readonly done: () => void;
}

/** The request that waits for a second factor; null: none. */
export const stepUp = createStore<StepUpRequest | null>(null);

/**
 * Opens the step-up dialog and waits until it closes. The dialog verifies the code itself so that a wrong one can be
 * corrected in place; the SDK repeats the refused call if the session has new tokens afterwards.
 */
export function requestStepUp(error: ApiError): Promise<undefined> {
  return new Promise((resolve) => {
    const done = () => {
      stepUp.set(null);
      resolve(undefined);
    };
    stepUp.set({ error, done });
  });
}
