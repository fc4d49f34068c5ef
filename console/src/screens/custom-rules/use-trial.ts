import { AbortError, type RuleTrial } from '@cspm/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../session.ts';
import type { Definition } from './draft.ts';

/** Presses within this time are one request. */
const DEBOUNCE_MS = 300;

export interface Trial {
  readonly result: RuleTrial;
  /** What was tried, to notice later changes. */
  readonly definition: Definition;
  /** Undefined: only the tests were run. */
  readonly project: string | undefined;
}

export interface TrialRun {
  readonly isRunning: boolean;
  /** The last result; it stays while the next one is awaited. */
  readonly last: Trial | null;
  /** What the last run failed with; null: it did not fail. */
  readonly error: unknown;
  readonly run: (definition: Definition, project: string | undefined) => void;
  readonly cancel: () => void;
}

/** Tries a rule on the server, with at most one request per click. A new run replaces the one before. */
export function useTrial(onResult: (trial: Trial) => void): TrialRun {
  const [isRunning, setRunning] = useState(false);
  const [last, setLast] = useState<Trial | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController>(null);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const run = async (definition: Definition, project: string | undefined) => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setRunning(true);
    setError(null);
    await new Promise((settle) => setTimeout(settle, DEBOUNCE_MS));
    if (signal.aborted) return;
    try {
      // A rule that is being written may have no valid id yet; the trial needs none.
      const rule = { ...definition, id: 'draft' };
      const result = await api.customRules.test(
        { rule, ...(project === undefined ? {} : { project }) },
        { signal, retry: false },
      );
      if (signal.aborted) return;
      const trial = { result, definition, project };
      setLast(trial);
      onResult(trial);
    } catch (cause) {
      if (signal.aborted || cause instanceof AbortError) return;
      setError(cause);
    } finally {
      if (running.current === controller) setRunning(false);
    }
  };
  return {
    isRunning,
    last,
    error,
    run: (definition, project) => void run(definition, project),
    cancel: () => {
      stop();
      setRunning(false);
    },
  };
}
