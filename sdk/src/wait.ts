import type { Cspm } from './client.gen.ts';
import type { Clock } from './clock.ts';
import type { ApiError } from './errors.ts';
import { isFinished } from './follow.ts';
import type { Scan } from './models.gen.ts';
import { waitAtMost } from './wait-at-most.ts';
import type { WaitForScan } from './wait-for-scan.ts';

interface Watcher {
  readonly id: string;
  /** Whether a stream reports on the scan, so that polling is not needed. */
  fed: boolean;
  see(scan: Scan): void;
  failed(error: unknown): void;
}

/** Maximum number of ids that the endpoint accepts. */
const BATCH = 100;

/** Maximum number of streams: browsers allow six connections to a host for all tabs. */
const MAX_STREAMS = 2;

/** Waits for a rate limit however long it lasts, and for an unavailable service for about a minute. */
const PATIENCE = { timeoutMs: Infinity, retry: { maxAttempts: 12 } };

/**
 * Creates `scans.wait`. All waits of a client share one poll, so that a hundred scans cost the requests of one. While
 * there are few, each unfinished scan is followed by its events and polled until they arrive.
 */
export function createWait(scans: Cspm['scans'], clock: Clock): WaitForScan {
  const watchers = new Set<Watcher>();
  const streams = new Map<string, AbortController>();
  /** Set to false when a stream fails: if one cannot be opened, others cannot either. */
  let streaming = true;
  /** Aborted when the last wait ends, because its poll must not keep the process running. */
  let idle = new AbortController();
  /** Aborted when there is a new scan to poll. */
  let changed = idle;
  /** Polls since the last wait was added; the first few follow quickly. */
  let polls = 0;

  const watchersOf = (...ids: readonly string[]) =>
    [...watchers].filter(({ id }) => ids.includes(id));

  async function poll(signal: AbortSignal) {
    for (;;) {
      // Quickly at first, for small scans; later every four seconds.
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
      const items =
        limit > 1 ? (await scans.list({ ids, limit }, options).catch(noneIfRefused)).items : [];
      for (const id of ids) {
        asked = [id];
        // Requested alone, an unknown scan is refused with its own error.
        tell(id, items.find((scan) => scan.id === id) ?? (await scans.get({ id }, options)));
      }
    } catch (error) {
      if (!signal.aborted) for (const watcher of watchersOf(...asked)) watcher.failed(error);
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
      // If more than the stream is broken, the poll reports it.
    }
    streams.delete(id);
    // There may be no waits left.
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
        failed(error) {
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
            watcher.failed(error);
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

/** One malformed id has a batch refused. Requested alone, only that id is refused. */
function noneIfRefused(error: ApiError): { items: Scan[] } {
  if (error.status !== 400 && error.status !== 404) throw error;
  return { items: [] };
}
