import pg from 'pg';

export interface QueryConfig {
  readonly name: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** A statement without parameters and rows that Postgres has prepared on a connection. */
export interface Command {
  readonly name: string;
  readonly text: string;
}

/** Members of node-postgres that its types leave out. */
interface SessionConnection {
  readonly parsedStatements: Record<string, string | undefined>;
  bind(config: { readonly statement: string }): void;
  execute(config: object): void;
  sync(): void;
}
type Callback = (error: Error | null | undefined, result?: pg.QueryResult) => void;
interface QueryMethods {
  prepare(connection: SessionConnection): void;
  _getRows(connection: SessionConnection, rows: number | undefined): void;
  handleCommandComplete(message: unknown, connection: SessionConnection): void;
}
const BaseQuery = pg.Query as unknown as new (
  config: QueryConfig & { readonly callback: Callback },
) => QueryMethods & pg.Submittable;

/** Whether Postgres has prepared a command on the connection, so that `sendJoined` can send it. */
export function isPrepared(client: pg.ClientBase, { name }: Command): boolean {
  const { connection } = client as unknown as { readonly connection: SessionConnection };
  return connection.parsedStatements[name] !== undefined;
}

/**
 * Sends a statement with commands before or after it in one group of messages, which takes one round trip. After an
 * error, Postgres skips the rest of the group (extended query protocol, up to Sync).
 * @returns the result of the statement.
 */
export function sendJoined(
  client: pg.ClientBase,
  statement: QueryConfig,
  commands: { readonly before?: readonly Command[]; readonly after?: readonly Command[] },
): Promise<pg.QueryResult> {
  const { before = [], after = [] } = commands;
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, result) => {
      // Results have the type of one statement; those of the commands are left out.
      if (error) reject(error);
      else resolve(result as pg.QueryResult);
    };
    client.query(new JoinedQuery(statement, callback, before, after));
  });
}

class JoinedQuery extends BaseQuery {
  readonly #before: readonly Command[];
  readonly #after: readonly Command[];
  #completed = 0;

  constructor(
    statement: QueryConfig,
    callback: Callback,
    before: readonly Command[],
    after: readonly Command[],
  ) {
    super({ ...statement, callback });
    this.#before = before;
    this.#after = after;
  }

  override prepare(connection: SessionConnection): void {
    for (const command of this.#before) send(command, connection);
    super.prepare(connection);
  }

  /** Ends the messages of the statement, which node-postgres does with Sync. */
  override _getRows(connection: SessionConnection, rows: number | undefined): void {
    if (this.#after.length === 0) {
      super._getRows(connection, rows);
      return;
    }
    connection.execute({});
    for (const command of this.#after) send(command, connection);
    connection.sync();
  }

  override handleCommandComplete(message: unknown, connection: SessionConnection): void {
    this.#completed += 1;
    if (this.#completed === this.#before.length + 1) {
      super.handleCommandComplete(message, connection);
    }
  }
}

function send({ name }: Command, connection: SessionConnection): void {
  connection.bind({ statement: name });
  connection.execute({});
}
