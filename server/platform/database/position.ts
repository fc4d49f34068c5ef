import type pg from 'pg';

/** A place in the write-ahead log of the primary. */
export interface Position {
  readonly lsn: string;
  /** Changes with each failover. */
  readonly timeline: number;
}

/** The primary has flushed each transaction that it acknowledged, so none of them is behind this position. */
const POSITION = `
  SELECT pg_current_wal_flush_lsn()::text AS lsn,
         substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) AS timeline`;
const SYSTEM = 'SELECT system_identifier::text AS system FROM pg_control_system()';

/**
 * Asks the primary how far its log has come. All requests that ask at the same time share one answer, so the primary
 * gets at most one such query at a time from a process.
 */
export class PrimaryPosition {
  readonly #pool: pg.Pool;
  #sent: Promise<Position> | null = null;
  #next: Promise<Position> | null = null;

  /** @param pool a separate pool of one connection, so these queries wait for no others. */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** A position that was read after this call: the answer to a query that is already sent could miss a write. */
  now(): Promise<Position> {
    if (this.#sent === null) return this.#send();
    this.#next ??= this.#sent.then(
      () => this.#send(),
      () => this.#send(),
    );
    return this.#next;
  }

  /** Identifies the cluster: its replicas have the same. */
  async system(): Promise<string> {
    const { rows } = await this.#pool.query<{ system: string }>(SYSTEM);
    return rows[0]?.system ?? '';
  }

  #send(): Promise<Position> {
    this.#next = null;
    const sent = this.#ask().finally(() => {
      if (this.#sent === sent) this.#sent = null;
    });
    this.#sent = sent;
    return sent;
  }

  async #ask(): Promise<Position> {
    const { rows } = await this.#pool.query<{ lsn: string; timeline: string }>({
      name: 'primary-position',
      text: POSITION,
    });
    const [row] = rows;
    if (row === undefined) throw new Error('The primary reported no position');
    return { lsn: row.lsn, timeline: Number.parseInt(row.timeline, 16) };
  }
}
