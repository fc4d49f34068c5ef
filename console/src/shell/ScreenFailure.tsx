import { onlineManager } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { codeMissing, isServerUp } from '../connection.ts';
import { useInterval } from '../lib/use-interval.ts';
import { Failure, Unreachable } from '../ui/States.tsx';

const LOOK_EVERY_MS = 5000;
/** A page that still lacks its code this soon after a reload does not reload again, in milliseconds. */
const RELOAD_AGAIN_AFTER_MS = 30_000;
const RELOADED_AT = 'cspm-reloaded-at';

interface ScreenFailureProps {
  readonly error: unknown;
  readonly reset: () => void;
}

/** Stands in for a screen that failed. */
export function ScreenFailure({ error, reset }: ScreenFailureProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return codeMissing.use() ? <MissingCode /> : <Failure error={error} onRetry={retry} />;
}

/**
 * The code of a screen is loaded when the screen is opened first. If the server is away, the page waits for it. If the
 * server has been upgraded meanwhile, a reload gets the new files.
 */
function MissingCode() {
  const reload = () => {
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
  };
  const look = async () => {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - last < RELOAD_AGAIN_AFTER_MS || !onlineManager.isOnline()) return;
    if (await isServerUp()) reload();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once at the beginning
  useEffect(() => void look(), []);
  useInterval(() => void look(), LOOK_EVERY_MS);
  useEffect(() => onlineManager.subscribe(() => void look()));
  return <Unreachable isScreen onRetry={reload} />;
}
