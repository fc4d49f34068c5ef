import { setTimeout as delay } from 'node:timers/promises';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { apart } from '../tracing/tracer.ts';
import { findScan, type ScanRow } from './scan-rows.ts';
import { scanView } from './scan-view.ts';

/** When things happen in a stream. */
export interface Pace {
  /** How often a scan that somebody follows is looked at, once for all who follow it. */
  readonly lookEveryMs: number;
  readonly progressAtMostEveryMs: number;
  readonly commentEveryMs: number;
  /** How often it is asked whether a follower may still see what they follow. */
  readonly checkEveryMs: number;
}

const PACE: Pace = {
  lookEveryMs: 500,
  progressAtMostEveryMs: 1_000,
  commentEveryMs: 15_000,
  checkEveryMs: 2_000,
};

/** How soon a client that lost the connection comes back. */
const RECONNECT_AFTER_MS = 2_000;
const MOST_FOLLOWERS = 1_000;

/** Somebody who follows a scan. */
export interface Follower {
  readonly tenantId: string;
  /** As it is now. */
  readonly scan: ScanRow;
  /** The last event that they have had; null: none. */
  readonly after: number | null;
  /** Whether their credential would still be let in. */
  mayGoOn(): Promise<boolean>;
  /** Whether their connection has closed. */
  isGone(): boolean;
}

/** What becomes of scans, as server-sent events (HTML standard, §9.2), for all who follow one in this process. */
export class ScanFeeds {
  readonly #tenants: TenantDatabase;
  readonly #isClosing: () => boolean;
  readonly #pace: Pace;
  readonly #feeds = new Map<string, Feed>();
  #followers = 0;

  constructor(tenants: TenantDatabase, isClosing: () => boolean, pace = PACE) {
    this.#tenants = tenants;
    this.#isClosing = isClosing;
    this.#pace = pace;
  }

  /** How many scans are looked at, because somebody follows them. */
  get watched(): number {
    return this.#feeds.size;
  }

  /**
   * Events until the scan has ended, the follower has gone or may see it no longer, or the server closes.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when too many follow already.
   */
  async *follow(follower: Follower): AsyncGenerator<string, void, undefined> {
    if (this.#followers >= MOST_FOLLOWERS) {
      throw new ProblemError('SERVICE_UNAVAILABLE', 'Too many follow scans at the moment.');
    }
    const feed = this.#join(follower);
    this.#followers += 1;
    try {
      yield* eventsFor(follower, feed, this.#isClosing, this.#pace);
    } finally {
      this.#followers -= 1;
      feed.leave();
    }
  }

  #join({ tenantId, scan }: Follower): Feed {
    const key = `${tenantId} ${scan.id}`;
    const open = this.#feeds.get(key);
    if (open !== undefined) {
      open.join();
      return open;
    }
    const look = () => this.#tenants.read(tenantId, (db) => findScan(db, scan.id));
    const feed = new Feed(scan, this.#pace.lookEveryMs, look, () => this.#feeds.delete(key));
    this.#feeds.set(key, feed);
    return feed;
  }
}

/** One scan, looked at again and again for as long as somebody follows it. */
class Feed {
  /** As it was last seen; null: it could not be seen any more. */
  seen: ScanRow | null;
  readonly #lookEveryMs: number;
  readonly #look: () => Promise<ScanRow | null>;
  readonly #onEnd: () => void;
  #followers = 1;
  #next: Promise<void>;

  constructor(
    seen: ScanRow,
    lookEveryMs: number,
    look: () => Promise<ScanRow | null>,
    onEnd: () => void,
  ) {
    this.seen = seen;
    this.#lookEveryMs = lookEveryMs;
    this.#look = look;
    this.#onEnd = onEnd;
    // Whoever follows next sees by the same looks, which are no part of the first one's request.
    this.#next = apart(() => this.#lookLater());
  }

  join(): void {
    this.#followers += 1;
  }

  leave(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#onEnd();
  }

  /** Until it was looked at once more. */
  next(): Promise<void> {
    return this.#next;
  }

  async #lookLater(): Promise<void> {
    await delay(this.#lookEveryMs, undefined, { ref: false });
    if (this.#followers === 0) return;
    // A database that is away ends the stream: the client comes back when it is there, and misses nothing.
    this.seen = await this.#look().catch(() => null);
    this.#next = this.#lookLater();
  }
}

async function* eventsFor(
  { after, mayGoOn, isGone }: Follower,
  feed: Feed,
  isClosing: () => boolean,
  pace: Pace,
): AsyncGenerator<string, void, undefined> {
  let lastId = after ?? -1;
  let progressFrom = 0;
  const began = performance.now();
  let commentAt = began + pace.commentEveryMs;
  let checkAt = began + pace.checkEveryMs;
  yield `retry: ${RECONNECT_AFTER_MS}\n\n`;
  while (feed.seen !== null && !isGone() && !isClosing()) {
    const scan = feed.seen;
    const now = performance.now();
    if (now >= checkAt) {
      if (!(await mayGoOn())) return;
      checkAt = now + pace.checkEveryMs;
    }
    const id = eventIdOf(scan);
    if (scan.finished_at !== null) {
      yield eventOf('done', id, scan);
      return;
    }
    if (id > lastId && now >= progressFrom) {
      yield eventOf('progress', id, scan);
      lastId = id;
      progressFrom = now + pace.progressAtMostEveryMs;
    }
    if (now >= commentAt) {
      yield ': the scan goes on\n\n';
      commentAt += pace.commentEveryMs;
    }
    await feed.next();
  }
}

function eventOf(event: 'progress' | 'done', id: number, scan: ScanRow): string {
  return `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(scanView(scan))}\n\n`;
}

/**
 * Grows with everything that becomes of a scan, and is the same at every instance: the steps that it has taken, of the
 * whole and of each project.
 */
function eventIdOf(scan: ScanRow): number {
  return scan.projects.reduce(
    (sum, project) => sum + project[17] + stepOf(project[1]),
    stepOf(scan.status),
  );
}

function stepOf(status: string): number {
  if (status === 'queued') return 0;
  return status === 'running' ? 1 : 2;
}
