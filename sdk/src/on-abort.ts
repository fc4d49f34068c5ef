const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted; what it answers takes that back. All share one listener: Node warns of a leak
 * from the eleventh on, and a signal may well be given to a hundred calls at once.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return () => {};
  const callbacks = watched.get(signal) ?? watch(signal);
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

function watch(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  watched.set(signal, callbacks);
  signal.addEventListener('abort', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}
