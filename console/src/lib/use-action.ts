import { ApiError } from '@cspm/sdk';
import { useState } from 'react';
import { toast } from '../ui/Toasts.tsx';
import { errorText } from './error-text.ts';
import { useIsShown } from './use-is-shown.ts';

export interface Action<Input> {
  readonly isBusy: boolean;
  /** What the last run failed with; null: it did not fail. */
  readonly error: unknown;
  readonly run: (input: Input) => void;
  readonly reset: () => void;
}

/**
 * Runs a call for a form or a button, with its progress and its failure. A second run during the first is ignored. A failure
 * after the form was closed is shown as a toast.
 * @param call asks `isShown` before it closes the form or leads to another page: the person may have closed it meanwhile, and
 * perhaps opened it again for something else.
 */
export function useAction<Input = void>(
  call: (input: Input, isShown: () => boolean) => Promise<unknown>,
): Action<Input> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isShown = useIsShown();
  const run = async (input: Input) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await call(input, isShown);
    } catch (cause) {
      setError(cause);
      if (!isShown()) toastFailure(cause);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run: (input) => void run(input), reset: () => setError(null) };
}

/** Tells what a call failed with whose form was closed meanwhile. */
export function toastFailure(cause: unknown, text = errorText(cause)): void {
  // A session that has ended leads to the sign-in page by itself.
  const isSignedOut = cause instanceof ApiError && cause.status === 401;
  if (!isSignedOut) toast(text, { tone: 'bad' });
}
