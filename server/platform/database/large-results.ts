import type { Socket } from 'node:net';
import type pg from 'pg';
import { EventLoopYielder } from '../event-loop-yield.ts';
import { TenantTurns } from '../tenant-turns.ts';

/** Reading, converting, validating or serializing this much takes about a millisecond. */
const LARGE_RESULT_BYTES = 64 * 1024;

/**
 * What is done with large results, one piece at a time. Shared by all servers of a process, because they share its event
 * loop.
 */
export const LARGE_RESULTS = new TenantTurns(1);

/**
 * Waits for the turn of a tenant. What the caller does until it waits for something else is one piece, and requests of
 * other tenants are served before the next piece.
 */
export function turnOf(tenantId: string): Promise<void> {
  return LARGE_RESULTS.run(tenantId, async () => undefined);
}

/**
 * Keeps long work for a tenant from delaying other tenants: call it between steps, and it says when to wait for the next
 * turn. The first step needs a turn too, so that many requests of one tenant do not all take a step at once.
 */
export class TurnYielder {
  readonly #tenantId: string;
  #yielder: EventLoopYielder | null = null;

  constructor(tenantId: string) {
    this.#tenantId = tenantId;
  }

  get isDue(): boolean {
    return this.#yielder?.isDue ?? true;
  }

  async yieldNow(): Promise<void> {
    await turnOf(this.#tenantId);
    this.#yielder = new EventLoopYielder();
  }
}

const READERS = new WeakMap<pg.PoolClient, ResultReader>();

export function readerOf(client: pg.PoolClient): ResultReader {
  const known = READERS.get(client);
  if (known !== undefined) return known;
  const reader = new ResultReader((client as unknown as Connected).connection.stream);
  READERS.set(client, reader);
  return reader;
}

/** Members of a client of node-postgres that its types do not list. */
interface Connected {
  readonly connection: { readonly stream: Socket };
}

/**
 * Counts what Postgres sends on a connection, and reads large results in turns of the tenant. Otherwise one turn of the event
 * loop would read up to 2 MiB of each connection.
 */
export class ResultReader {
  readonly #stream: Socket;
  /** Null: nobody has checked out the connection, and what arrives is read at once. */
  #tenantId: string | null = null;
  #readMuch = false;
  #ofStatement = 0;
  #ofPiece = 0;
  #paused = false;

  constructor(stream: Socket) {
    this.#stream = stream;
    stream.on('data', (data) => this.#received(data.length));
  }

  /** Whether a result was large since the connection was checked out. */
  get hasReadMuch(): boolean {
    return this.#readMuch;
  }

  checkOut(tenantId: string): void {
    this.#tenantId = tenantId;
    this.#readMuch = false;
    this.#ofStatement = 0;
    this.#ofPiece = 0;
  }

  checkIn(): void {
    this.#tenantId = null;
    this.#resume();
  }

  /** Ends a statement. @returns whether its result was large. */
  endStatement(): boolean {
    const isLarge = this.#ofStatement >= LARGE_RESULT_BYTES;
    this.#ofStatement = 0;
    this.#ofPiece = 0;
    return isLarge;
  }

  #received(bytes: number): void {
    this.#ofStatement += bytes;
    this.#ofPiece += bytes;
    if (this.#ofPiece < LARGE_RESULT_BYTES || this.#tenantId === null) return;
    this.#ofPiece = 0;
    this.#readMuch = true;
    this.#paused = true;
    this.#stream.pause();
    void turnOf(this.#tenantId).then(() => this.#resume());
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#stream.resume();
  }
}
