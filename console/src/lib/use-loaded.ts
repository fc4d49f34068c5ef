import { useEffect, useState } from 'react';

/** What a page has loaded. */
export interface Loaded<Value> {
  /** Undefined: it is not there yet, or could not be loaded. */
  readonly data: Value | undefined;
  readonly isError: boolean;
  readonly retry: () => void;
}

/** Loads something once for a page without a session, which has no cache. */
export function useLoaded<Value>(load: () => PromiseLike<Value>): Loaded<Value> {
  const [attempt, setAttempt] = useState(0);
  const [data, setData] = useState<Value>();
  const [isError, setError] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once in each attempt
  useEffect(() => {
    let isShown = true;
    load().then(
      (value) => isShown && setData(value),
      () => isShown && setError(true),
    );
    return () => {
      isShown = false;
    };
  }, [attempt]);
  const retry = () => {
    setError(false);
    setAttempt((before) => before + 1);
  };
  return { data, isError, retry };
}
