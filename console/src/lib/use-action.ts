import { useState } from 'react';

export interface Action<Input> {
  readonly isBusy: boolean;
  /** What the last run failed with; null: it did not fail. */
  readonly error: unknown;
  readonly run: (input: Input) => void;
  readonly reset: () => void;
}

/** Runs a call for a form or a button, with its progress and its failure. A second run during the first is ignored. */
export function useAction<Input = void>(call: (input: Input) => Promise<unknown>): Action<Input> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (input: Input) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await call(input);
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run: (input) => void run(input), reset: () => setError(null) };
}
