import { onlineManager } from '@tanstack/react-query';
import { Timer, WifiOff } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { isServerUp, pausedUntil, reachable } from '../connection.ts';
import { useInterval } from '../lib/use-interval.ts';
import { Button } from '../ui/Button.tsx';
import styles from './Shell.module.css';

/** How often the page looks whether the server is back, in milliseconds. */
const LOOK_EVERY_MS = 5000;

/** Says why the page waits, and continues by itself. What was loaded stays on the page. */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  const isReachable = reachable.use();
  const paused = pausedUntil.use();
  if (!isOnline) {
    return (
      <div className={styles.banner} role="status">
        <WifiOff size={15} aria-hidden />
        You are offline. The page shows what was loaded before and continues when you are back.
      </div>
    );
  }
  if (!isReachable) return <Unreachable />;
  return paused === null ? null : <Paused until={paused} />;
}

function Unreachable() {
  const look = async () => {
    if (!document.hidden && (await isServerUp())) reachable.set(true);
  };
  useInterval(() => void look(), LOOK_EVERY_MS);
  return (
    <div className={styles.banner} role="status">
      <WifiOff size={15} aria-hidden />
      The server cannot be reached. The page shows what was loaded before and continues when the
      server answers.
      <Button onClick={() => void look()}>Try again</Button>
    </div>
  );
}

/** Counts down to the moment at which the refused request is sent again. */
function Paused({ until }: { readonly until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => {
    setNow(Date.now());
    if (Date.now() >= until) pausedUntil.set(null);
  }, 500);
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return (
    <div className={styles.banner}>
      <Timer size={15} aria-hidden />
      <span role="status">Too many requests from your network.</span>
      <span>The page continues by itself in {seconds} s.</span>
    </div>
  );
}
