import type { Cspm, Scan } from './client.gen.ts';
import type { Clock } from './clock.ts';
import { isFinished } from './follow.ts';
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

interface Watcher {
  readonly id: string;
  /** Whether a stream tells it of the scan, so that there is no need to poll. */
  fed: boolean;
  see(scan: Scan): void;
  fail(error: unknown): void;
}

/** Ids that one call asks for: the most that the endpoint takes. */
const BATCH = 100;

/** Streams at a time: browsers have six connections to a host, for all of their tabs. */
const MAX_STREAMS = 2;

/** A rate limit is waited out, however long it is, and a service that is away for about a minute. */
const PATIENCE = { timeoutMs: Infinity, retry: { maxAttempts: 12 } };

/**
 * Makes `scans.wait`. All waits of a client share one poll, so that a hundred scans cost the requests of one. While there
 * are few, each scan that is not finished at the first look is followed by its events, and polled for until they come.
 */
export function createWait(scans: Cspm['scans'], clock: Clock): WaitForScan {
  const watchers = new Set<Watcher>();
  const streams = new Map<string, AbortController>();
  /** Not any more once one has failed: where one does not come through, others will not. */
  let streaming = true;
  /** Aborted when the last wait is over: its poll must not keep a process alive. */
  let idle = new AbortController();
  /** Aborted when there is something new to look at. */
  let changed = idle;
  /** Polls since somebody joined: the first few follow each other fast. */
  let polls = 0;

  const watchersOf = (...ids: readonly string[]) =>
    [...watchers].filter(({ id }) => ids.includes(id));

  async function poll(signal: AbortSignal) {
    for (;;) {
      // Fast at first, for small scans; then every four seconds.
      await clock.sleep(polls && Math.min(4000, 125 * 2 ** polls), changed.signal);
      if (signal.aborted) return;
      changed = new AbortController();
      polls += 1;
      const ids = [...new Set([...watchers].flatMap(({ id, fed }) => (fed ? [] : id)))];
      for (let at = 0; at < ids.length; at += BATCH) await look(ids.slice(at, at + BATCH), signal);
      if (ids.length <= MAX_STREAMS) for (const id of ids) void listen(id);
    }
  }

  async function look(ids: readonly string[], signal: AbortSignal) {
    const options = { ...PATIENCE, signal };
    const limit = ids.length;
    let asked = ids;
    try {
      const items = limit > 1 ? (await scans.list({ ids, limit }, options)).items : [];
      for (const id of ids) {
        asked = [id];
        // Asked for alone, a scan that does not exist is refused with words of its own.
        tell(id, items.find((scan) => scan.id === id) ?? (await scans.get({ id }, options)));
      }
    } catch (error) {
      if (!signal.aborted) for (const watcher of watchersOf(...asked)) watcher.fail(error);
    }
  }

  async function listen(id: string) {
    const isWanted = streaming && watchersOf(id).length && !streams.has(id);
    if (!isWanted || streams.size >= MAX_STREAMS) return;
    const stream = new AbortController();
    streams.set(id, stream);
    try {
      for await (const { data } of scans.events({ id }, { signal: stream.signal })) {
        for (const watcher of watchersOf(id)) watcher.fed = true;
        tell(id, data);
      }
    } catch {
      // The poll meets what is the matter, if it is more than a stream that does not come through.
    }
    streams.delete(id);
    // Nobody may be waiting any more.
    streaming = stream.signal.aborted;
    for (const watcher of watchersOf(id)) {
      if (watcher.fed) lookAtOnce();
      watcher.fed = false;
    }
  }

  function lookAtOnce() {
    polls = 0;
    changed.abort();
  }

  function tell(id: string, scan: Scan) {
    for (const watcher of watchersOf(id)) watcher.see(scan);
  }

  return async (id, { signal, timeoutMs = Infinity, onProgress } = {}) => {
    let leave = () => {};
    const finished = new Promise<Scan>((resolve, reject) => {
      let last = '';
      const watcher: Watcher = {
        id,
        fed: false,
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
          if (!isFinished(scan)) return;
          leave();
          resolve(scan);
        },
      };
      leave = () => {
        watchers.delete(watcher);
        if (!watchersOf(id).length) streams.get(id)?.abort();
        if (!watchers.size) {
          idle.abort();
          changed.abort();
        }
      };
      watchers.add(watcher);
    });
    lookAtOnce();
    if (watchers.size === 1) {
      idle = new AbortController();
      void poll(idle.signal);
    }
    return waitAtMost(finished, timeoutMs, signal).finally(leave);
  };
}
