type Stop = (reason: unknown) => void;

const watched = new WeakMap<AbortSignal, Set<Stop>>();

/**
 * Calls back with the reason when a signal is aborted, immediately if it is already. The returned function cancels
 * this. All calls share one listener per signal, because Node warns of a leak from eleven listeners.
 */
export function onAbort(signal: AbortSignal | undefined, stop: Stop): () => void {
  if (!signal) return () => {};
  if (signal.aborted) stop(signal.reason);
  const stops = watched.get(signal) ?? watch(signal);
  stops.add(stop);
  return () => void stops.delete(stop);
}

function watch(signal: AbortSignal): Set<Stop> {
  const stops = new Set<Stop>();
  watched.set(signal, stops);
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop(signal.reason);
  });
  return stops;
}
