import type { Scan } from './client.gen.ts';
import type { Clock } from './clock.ts';
import {
  type ApiError,
  ConnectionError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
} from './errors.ts';
import { waitAtMost } from './wait-at-most.ts';

/** How to wait for a scan. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait at most, in milliseconds; left out: as long as the scan takes. */
  readonly timeoutMs?: number | undefined;
  /** Told of the scan at first and whenever it has changed; what it throws ends the wait. */
  readonly onProgress?: ((scan: Scan) => void) | undefined;
}

/** Resolves with the scan once it is finished, whatever its status. */
export type WaitForScan = (id: string, options?: WaitOptions) => Promise<Scan>;

/** What waiting needs of the client. */
export interface ScanSource {
  get(id: string): Promise<Scan>;
  /** Takes at most `BATCH` ids; scans that do not exist are missing from the answer. */
  list(ids: readonly string[]): Promise<readonly Scan[]>;
  /** How far apart requests may follow each other to just use up the general limit, in milliseconds. */
  paceMs(): number;
  readonly clock: Clock;
}

interface Watcher {
  readonly id: string;
  see(scan: Scan): void;
  fail(error: unknown): void;
}

/** Ids that one call asks for: the most that the endpoint takes. */
const BATCH = 100;

/** How long the service may be away before a wait ends with the error, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Makes `scans.wait`. All waits of a client share one poll, so that a hundred scans cost the requests of one. */
export function createWait(source: ScanSource): WaitForScan {
  const { clock } = source;
  const watchers = new Set<Watcher>();
  let changed = new AbortController();
  let polling = false;
  /** Polls since somebody joined: the first few follow each other fast. */
  let polls = 0;
  let lastAnswerAt = 0;
  /** What the server has told, which nobody who joins may undercut. */
  let notBefore = 0;

  async function poll() {
    polling = true;
    lastAnswerAt = clock.now();
    while (watchers.size > 0) {
      const delayMs = pollDelayMs(polls, source.paceMs());
      await clock.sleep(Math.max(delayMs, notBefore - clock.now()), changed.signal);
      changed = new AbortController();
      if (clock.now() < notBefore) continue;
      polls += 1;
      const ids = [...new Set(Array.from(watchers, ({ id }) => id))];
      while (ids.length > 0) await look(ids.splice(0, BATCH));
    }
    polling = false;
  }

  async function look(ids: readonly string[]) {
    const [first = ''] = ids;
    try {
      if (ids.length < 2) return tell(first, await source.get(first));
      const scans = await source.list(ids);
      for (const id of ids) {
        const scan = scans.find((candidate) => candidate.id === id);
        // Asked for alone, a scan that does not exist is refused with words of its own.
        if (scan) tell(id, scan);
        else await look([id]);
      }
    } catch (error) {
      if (isPassing(error)) {
        notBefore = Math.max(notBefore, clock.now() + (error.retryAfterMs ?? 0));
        // Who limits us is not away.
        if (error instanceof RateLimitError) lastAnswerAt = notBefore;
        if (Math.max(clock.now(), notBefore) - lastAnswerAt < PATIENCE_MS) return;
      }
      for (const watcher of watchers) if (ids.includes(watcher.id)) watcher.fail(error);
    }
  }

  function tell(id: string, scan: Scan) {
    lastAnswerAt = clock.now();
    for (const watcher of watchers) if (watcher.id === id) watcher.see(scan);
  }

  return async (id, { signal, timeoutMs = Number.POSITIVE_INFINITY, onProgress } = {}) => {
    let leave = () => {};
    const finished = new Promise<Scan>((resolve, reject) => {
      let last = '';
      const watcher: Watcher = {
        id,
        fail(error) {
          leave();
          reject(error);
        },
        see(scan) {
          const now = JSON.stringify(scan);
          if (now === last) return;
          last = now;
          try {
            onProgress?.(scan);
          } catch (error) {
            watcher.fail(error);
          }
          if (scan.status === 'queued' || scan.status === 'running') return;
          leave();
          resolve(scan);
        },
      };
      leave = () => watchers.delete(watcher);
      watchers.add(watcher);
    });
    polls = 0;
    changed.abort();
    if (!polling) void poll();
    try {
      return await waitAtMost(finished, timeoutMs, signal, []);
    } finally {
      leave();
      // The poll of the last one to leave must not keep a process alive.
      if (watchers.size === 0) changed.abort();
    }
  };
}

/** Fast at first, for small scans; then every four seconds, and never more than half of what the general limit allows. */
function pollDelayMs(polls: number, paceMs: number): number {
  if (polls === 0) return 0;
  return Math.max(Math.min(4000, 250 * 2 ** (polls - 1)), paceMs * Math.min(polls - 1, 2));
}

/** What may be over by the next poll. */
function isPassing(error: unknown): error is ApiError {
  return (
    error instanceof RateLimitError ||
    error instanceof UnavailableError ||
    error instanceof ConnectionError ||
    error instanceof TimeoutError
  );
}
