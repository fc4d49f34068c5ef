import { useEffect, useRef } from 'react';

/** Calls a function again and again while the component is shown and the interval, in milliseconds, is not null. */
export function useInterval(call: () => void, everyMs: number | null): void {
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  });
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => latest.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
