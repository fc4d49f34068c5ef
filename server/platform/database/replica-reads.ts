import type { Logger } from 'pino';
import { TenantOverloadedError } from './connection-shares.ts';
import type { Position, PrimaryPosition } from './position.ts';
import { type Absence, type Replica, ReplicaAbsent } from './replica.ts';
import type { TenantConnection, TenantDatabase } from './tenant-database.ts';
import { isDatabaseUnavailable, sqlStateOf } from './unavailable.ts';

/** Reads that change nothing and see everything that was committed before them. */
export interface TenantReads {
  read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T>;
}

/**
 * Where a read was served. `replica`; else the primary served it, because no replica could (`absent`), or because the
 * replica failed: an absence, a conflict with replay, or a statement that writes.
 */
export type ReadOutcome = 'replica' | 'absent' | Absence | 'conflict' | 'write';

export interface ReplicaReadsOptions {
  /** Serves what no replica can. */
  readonly primary: TenantDatabase;
  readonly position: PrimaryPosition;
  readonly replicas: readonly Replica[];
  readonly log: Logger;
  readonly count: (outcome: ReadOutcome) => void;
}

const CHECK_EVERY_MS = 1_000;
/** A slow statement: it would be as slow on the primary. */
const QUERY_CANCELED = '57014';
/** The replay of the log needed rows or buffers that a read on the replica was using. */
const CONFLICTS = new Set(['40001', '40P01']);
const READ_ONLY = '25006';

/**
 * Sends reads to replicas. Before each read, the primary is asked for its position in the log, and the replica reads only
 * after it has replayed that position: a read sees every write that any server acknowledged before it began. If a
 * replica cannot, the primary serves the read, and the caller notices only the delay.
 */
export class ReplicaReads implements TenantReads {
  readonly #options: ReplicaReadsOptions;
  readonly #timer: NodeJS.Timeout;
  /** What the log says about each replica. */
  readonly #told = new Map<Replica, Absence | null>();
  #checking: Promise<void> | null = null;
  #turn = 0;

  constructor(options: ReplicaReadsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
    this.#check();
  }

  async read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    const { primary, position, count } = this.#options;
    const replica = this.#next();
    if (replica === null) {
      count('absent');
      return primary.read(tenantId, work);
    }
    let before: Position;
    try {
      before = await position.now();
    } catch {
      count('absent');
      return primary.read(tenantId, work);
    }
    try {
      const result = await replica.read(tenantId, before, work);
      count('replica');
      return result;
    } catch (error) {
      const outcome = this.#failed(replica, error);
      if (outcome === null) throw error;
      count(outcome);
      return primary.read(tenantId, work);
    }
  }

  /** Ends the checks. The pools of the replicas are closed by their owner. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  /** The replicas take turns. */
  #next(): Replica | null {
    const present = this.#options.replicas.filter(({ absence }) => absence === null);
    this.#turn += 1;
    return present[this.#turn % present.length] ?? null;
  }

  /** Null: the primary would fail in the same way, or has to be spared. */
  #failed(replica: Replica, error: unknown): ReadOutcome | null {
    if (error instanceof ReplicaAbsent) return this.#suspend(replica, error.absence, error);
    if (error instanceof TenantOverloadedError) return null;
    const state = sqlStateOf(error);
    if (state === QUERY_CANCELED) return null;
    if (CONFLICTS.has(state)) return 'conflict';
    if (state === READ_ONLY) {
      const { log } = this.#options;
      log.error({ err: error }, 'A statement of a read writes; the primary repeats it');
      return 'write';
    }
    return isDatabaseUnavailable(error) ? this.#suspend(replica, 'unreachable', error) : null;
  }

  #suspend(replica: Replica, absence: Absence, error: unknown): Absence {
    replica.suspend(absence, error);
    this.#tell(replica);
    return absence;
  }

  #check(): void {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = null;
    });
  }

  async #checkAll(): Promise<void> {
    const { position, replicas } = this.#options;
    try {
      const system = await position.system();
      const now = await position.now();
      await Promise.all(
        replicas.map(async (replica) => {
          await replica.check(system, now);
          this.#tell(replica);
        }),
      );
    } catch {
      // Without the primary no request can be served, and the replicas stay as they are.
    }
  }

  /** The first time, and whenever the absence changes. */
  #tell(replica: Replica): void {
    const { address, absence, error } = replica;
    if (this.#told.get(replica) === absence) return;
    this.#told.set(replica, absence);
    const facts = { replica: address, absence };
    const { log } = this.#options;
    if (absence === null) log.info(facts, 'A replica serves reads');
    else log.warn({ ...facts, err: error }, 'A replica serves no reads; the primary does');
  }
}
