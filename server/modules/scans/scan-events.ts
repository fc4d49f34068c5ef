import { setTimeout as delay } from 'node:timers/promises';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { apart } from '../../platform/tracing/tracer.ts';
import { unpackProject } from './packed-project.ts';
import { findScan, type ScanRow } from './queries.ts';
import { scanView } from './view.ts';

/** Intervals of a stream of events. */
export interface Pace {
  /** How often a followed scan is read, once for all its followers. */
  readonly lookEveryMs: number;
  readonly progressAtMostEveryMs: number;
  readonly commentEveryMs: number;
  /** How often it is checked whether a follower may still see the scan. */
  readonly checkEveryMs: number;
}

const PACE: Pace = {
  lookEveryMs: 500,
  progressAtMostEveryMs: 1_000,
  commentEveryMs: 15_000,
  checkEveryMs: 2_000,
};

/** Reconnection delay that clients are asked to use. */
const RECONNECT_AFTER_MS = 2_000;

/** A client that follows a scan. */
export interface Follower {
  readonly tenantId: string;
  /** Its current state. */
  readonly scan: ScanRow;
  /** Id of the last event that the client has received; null for none. */
  readonly after: number | null;
  /** Whether the client's credential is still valid for this scan. */
  mayGoOn(): Promise<boolean>;
  /** Whether the connection has closed. */
  isGone(): boolean;
}

/** Sends the changes of scans as server-sent events (HTML standard, §9.2) to all their followers in this process. */
export class ScanFeeds {
  readonly #tenants: TenantDatabase;
  readonly #isClosing: () => boolean;
  readonly #pace: Pace;
  readonly #feeds = new Map<string, Feed>();

  constructor(tenants: TenantDatabase, isClosing: () => boolean, pace = PACE) {
    this.#tenants = tenants;
    this.#isClosing = isClosing;
    this.#pace = pace;
  }

  /** Number of scans that have followers. */
  get watched(): number {
    return this.#feeds.size;
  }

  /**
   * Yields events until the scan has ended, the client has disconnected or lost access, or the server closes. No
   * database connection is held between reads.
   */
  async *follow(follower: Follower): AsyncGenerator<string, void, undefined> {
    const feed = this.#join(follower);
    try {
      yield* eventsFor(follower, feed, this.#isClosing, this.#pace);
    } finally {
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

/** Reads one scan repeatedly while it has followers. */
class Feed {
  /** The last state that was read; null when it could not be read. */
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
    // Later followers share these reads, so keep them out of the first follower's request context.
    this.#next = apart(() => this.#lookLater());
  }

  join(): void {
    this.#followers += 1;
  }

  leave(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#onEnd();
  }

  /** Resolves after the next read. */
  next(): Promise<void> {
    return this.#next;
  }

  async #lookLater(): Promise<void> {
    await delay(this.#lookEveryMs, undefined, { ref: false });
    if (this.#followers === 0) return;
    // When the database is unavailable, end the stream: the client reconnects later and misses nothing.
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
 * Increases with every change of a scan and is the same on every instance: the number of steps of the whole and of each
 * project.
 */
function eventIdOf(scan: ScanRow): number {
  return scan.projects
    .map(unpackProject)
    .reduce(
      (sum, project) => sum + project.chunks_done + stepOf(project.status),
      stepOf(scan.status),
    );
}

function stepOf(status: string): number {
  if (status === 'queued') return 0;
  return status === 'running' ? 1 : 2;
}
