import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ConnectionShares } from './connection-shares.ts';
import type { Position } from './position.ts';
import { type Statement, type TenantConnection, TenantDatabase } from './tenant-database.ts';

/** How long a read waits for the replica to replay what was committed before it, at most. */
const CATCHES_UP_WITHIN_MS = 100;
/** The same for the regular check, which nobody waits for. */
const FOLLOWS_WITHIN_MS = 500;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;

/** Why a replica serves no reads. */
export type Absence =
  /** It is not connected yet, or no longer. */
  | 'unreachable'
  /** It has not replayed what the primary has committed. */
  | 'behind'
  /** It is a primary itself. */
  | 'promoted'
  /** It has not followed the primary to the timeline of the last failover, or copies another cluster. */
  | 'diverged';

/** The replica has not replayed the position in time. The work was not begun. */
export class ReplicaAbsent extends Error {
  override readonly name = 'ReplicaAbsent';
  readonly absence: Absence;

  constructor(absence: Absence) {
    super(`The replica serves no reads: ${absence}`);
    this.absence = absence;
  }
}

/** On the connection of the read, so that nothing can change in between. */
const HAS_REPLAYED: Statement = {
  name: 'replica-has-replayed',
  reason: 'hot path',
  text: `SELECT pg_is_in_recovery() AS following,
                coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false) AS replayed`,
};

/** The last restart point shows the timeline that is replayed, or one before it. */
const STATE = `
  SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
         (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline`;

export interface ReplicaOptions {
  /** Host and port, for metrics and the log. */
  readonly address: string;
  readonly pool: pg.Pool;
  readonly shares: ConnectionShares;
}

/** A hot standby of the primary. */
export class Replica {
  readonly address: string;
  readonly pool: pg.Pool;
  readonly #tenants: TenantDatabase;
  #timeline: number | null = null;
  #absence: Absence | null = 'unreachable';
  #error: unknown = null;
  /** When the position was read that the replica has reached last. */
  #reachedAt = performance.now();
  #tookMs = 0;

  constructor({ address, pool, shares }: ReplicaOptions) {
    this.address = address;
    this.pool = pool;
    this.#tenants = new TenantDatabase(pool, { shares });
  }

  /** Null: it serves reads. */
  get absence(): Absence | null {
    return this.#absence;
  }

  /** Why the replica is absent, in detail. */
  get error(): unknown {
    return this.#error;
  }

  /** How long the replica takes to replay what the primary has committed; grows while it does not. */
  get lagSeconds(): number {
    const ms = this.#absence === null ? this.#tookMs : performance.now() - this.#reachedAt;
    return ms / 1000;
  }

  /** Sends no more reads there until the next check finds the replica following. */
  suspend(absence: Absence, error: unknown): void {
    this.#absence = absence;
    this.#error = error;
  }

  /**
   * Reads what was committed before the position.
   * @throws {ReplicaAbsent} when the replica has not replayed it in time.
   */
  read<T>(
    tenantId: string,
    position: Position,
    work: (db: TenantConnection) => Promise<T>,
  ): Promise<T> {
    if (position.timeline !== this.#timeline) throw new ReplicaAbsent('diverged');
    return this.#tenants.read(tenantId, async (db) => {
      await untilReplayed(CATCHES_UP_WITHIN_MS, async () => {
        const [row] = await db.sql<Replayed>(HAS_REPLAYED, [position.lsn]);
        return row;
      });
      return work(db);
    });
  }

  /**
   * Decides whether the replica serves reads until the next check.
   * @param system the identifier of the primary's cluster
   */
  async check(system: string, position: Position): Promise<void> {
    const readAt = performance.now();
    try {
      await this.#follow(system, position);
      this.#reachedAt = readAt;
      this.#tookMs = performance.now() - readAt;
      this.#absence = null;
    } catch (error) {
      this.suspend(error instanceof ReplicaAbsent ? error.absence : 'unreachable', error);
    }
  }

  async #follow(system: string, position: Position): Promise<void> {
    const { rows } = await this.pool.query<{ system: string | null; timeline: number | null }>(
      STATE,
    );
    const [state] = rows;
    this.#timeline = state?.timeline ?? null;
    await untilReplayed(FOLLOWS_WITHIN_MS, async () => {
      const values = [position.lsn];
      return (await this.pool.query<Replayed>({ ...HAS_REPLAYED, values })).rows[0];
    });
    if (state?.system !== system || state.timeline !== position.timeline) {
      throw new ReplicaAbsent('diverged');
    }
  }
}

interface Replayed {
  following: boolean;
  replayed: boolean;
}

/** @throws {ReplicaAbsent} */
async function untilReplayed(
  withinMs: number,
  look: () => Promise<Replayed | undefined>,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const state = await look();
    if (state?.following !== true) throw new ReplicaAbsent('promoted');
    if (state.replayed) return;
    if (performance.now() >= deadline) throw new ReplicaAbsent('behind');
    await delay(pause);
  }
}
