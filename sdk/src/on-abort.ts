type Stop = (reason: unknown) => void;

const watched = new WeakMap<AbortSignal, Set<Stop>>();

/**
 * Calls back with the reason when a signal is aborted, at once if it is already; what it answers takes that back. All
 * share one listener: Node warns of a leak from the eleventh on, and a signal may well be given to a hundred calls.
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
