import { ApiError } from '@cspm/sdk';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../ui/Toasts.tsx';
import { errorText } from './error-text.ts';

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
 */
export function useAction<Input = void>(call: (input: Input) => Promise<unknown>): Action<Input> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run = async (input: Input) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await call(input);
    } catch (cause) {
      setError(cause);
      // A session that has ended leads to the sign-in page by itself.
      const isSignedOut = cause instanceof ApiError && cause.status === 401;
      if (!isShown.current && !isSignedOut) toast(errorText(cause), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run: (input) => void run(input), reset: () => setError(null) };
}
