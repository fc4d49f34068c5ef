import type pg from 'pg';
import { isTracing } from '../tracing/tracer.ts';
import { type Command, isPrepared, type QueryConfig, sendJoined } from './joined-query.ts';

const BEGIN: Command = { name: 'begin', text: 'BEGIN' };
const COMMIT: Command = { name: 'commit', text: 'COMMIT' };

/** `failed`: nothing more is sent, because after a BEGIN that failed there is no transaction. */
type State = 'unsent' | 'starting' | 'begun' | 'failed';

/**
 * A transaction with few round trips: BEGIN is sent together with the first statement, and COMMIT together with a last
 * one. Each pair is one group of messages. After an error, Postgres skips the rest of the group: without BEGIN no statement
 * runs, and after a failed statement nothing is committed.
 */
export class Transaction {
  readonly #client: pg.PoolClient;
  readonly #begin: readonly Command[];
  readonly #last: QueryConfig[] = [];
  #state: State = 'unsent';
  #start: Promise<unknown> = Promise.resolve();

  /** @param begin from `beginWith`. */
  constructor(client: pg.PoolClient, begin: readonly Command[]) {
    this.#client = client;
    this.#begin = begin;
  }

  async query(statement: QueryConfig): Promise<pg.QueryResult> {
    if (this.#state === 'unsent' && this.#canJoin(this.#begin)) {
      return this.#started(sendJoined(this.#client, statement, { before: this.#begin }));
    }
    await this.begin();
    return this.#client.query(statement);
  }

  /** Sends BEGIN alone, unless it was sent before. Rejects if the first statement failed. */
  async begin(): Promise<void> {
    if (this.#state === 'unsent') await this.#started(this.#sendBegin());
    else if (this.#state !== 'begun') await this.#start;
  }

  /** Keeps a statement for the commit, which is sent together with the last one of them. */
  keep(statement: QueryConfig): void {
    this.#last.push(statement);
  }

  async commit(): Promise<void> {
    const last = this.#last.pop();
    for (const statement of this.#last) await this.query(statement);
    if (last === undefined && this.#state === 'unsent') return;
    await this.begin();
    if (last !== undefined && this.#canJoin([COMMIT])) {
      await sendJoined(this.#client, last, { after: [COMMIT] });
      return;
    }
    if (last !== undefined) await this.#client.query(last);
    await this.#send(COMMIT);
  }

  async rollback(): Promise<void> {
    if (this.#state !== 'unsent') await this.#client.query('ROLLBACK');
  }

  /** Traces have a span for each command. */
  #canJoin(commands: readonly Command[]): boolean {
    return !isTracing && commands.every((command) => isPrepared(this.#client, command));
  }

  async #sendBegin(): Promise<void> {
    for (const command of this.#begin) await this.#send(command);
  }

  /** Prepares the command, unless its name would hide its text from traces. */
  #send({ name, text }: Command): Promise<unknown> {
    return this.#client.query(isTracing ? { text } : { name, text });
  }

  async #started<T>(start: Promise<T>): Promise<T> {
    this.#state = 'starting';
    this.#start = start;
    try {
      const result = await start;
      this.#state = 'begun';
      return result;
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }
}

/** @param timeoutMs statement timeout within the transaction, whose end resets it; undefined: that of the connection. */
export function beginWith(timeoutMs: number | undefined): readonly Command[] {
  if (timeoutMs === undefined) return [BEGIN];
  const limit = Math.trunc(timeoutMs);
  const text = `SET LOCAL statement_timeout = ${limit}`;
  return [BEGIN, { name: `statement-timeout-${limit}`, text }];
}
