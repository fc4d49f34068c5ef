import type pg from 'pg';
import { type Cell, HOME } from '../../platform/cells/cell-config.ts';
import { type TenantTable, tenantTables } from '../../platform/cells/tables.ts';
import { CommandError } from '../operator.ts';
import { withWatchedConnections } from '../watched-connections.ts';

/** The connections of one move, all as owners of their databases and bound to the tenant. */
export interface Move {
  readonly tenantId: string;
  readonly from: string;
  readonly to: string;
  /** The directory database, for placements and the record of the move. */
  readonly directory: pg.Client;
  readonly source: pg.Client;
  /** A second connection to the source, for snapshots. */
  readonly snapshot: pg.Client;
  readonly target: pg.Client;
  readonly tables: readonly TenantTable[];
  readonly say: (line: string) => void;
  readonly fenceSeconds: number;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** A constraint refused a copied row, because rows of several moments were mixed. The copy starts again. */
export class CopyConflict extends Error {}

/** @throws {CommandError} when the databases have different tables. */
export async function withMove<T>(
  options: Pick<Move, 'tenantId' | 'from' | 'to' | 'say' | 'fenceSeconds'> & {
    readonly homeUrl: string;
    readonly cells: readonly Cell[];
    /** How long a database may stay silent. Default: 10 seconds. */
    readonly answerWithinMs?: number | undefined;
  },
  work: (move: Move) => Promise<T>,
): Promise<T> {
  const { tenantId, from, to, homeUrl, cells } = options;
  const urlOf = (name: string) => {
    const url = name === HOME ? homeUrl : cells.find((cell) => cell.name === name)?.ownerUrl;
    if (url === undefined) throw new CommandError(`DATABASE_CELLS has no cell ${name}.`);
    return url;
  };
  const { answerWithinMs } = options;
  return withWatchedConnections({ name: 'cspm move', answerWithinMs }, async (connect) => {
    const open = async (url: string, isMover: boolean) => {
      const client = await connect(url);
      await client.query(
        "SELECT set_config('timezone', 'UTC', false), set_config('jit', 'off', false), set_config('app.tenant_id', $1, false)",
        [tenantId],
      );
      if (isMover) await client.query("SELECT set_config('cells.mover', 'on', false)");
      return client;
    };
    const directory = await open(homeUrl, false);
    const [source, snapshot, target] = [
      await open(urlOf(from), true),
      await open(urlOf(from), false),
      await open(urlOf(to), true),
    ];
    const tables = await tenantTables(source);
    if (JSON.stringify(tables) !== JSON.stringify(await tenantTables(target))) {
      throw new CommandError(
        'The databases have different tables. Run `admin migrate` with this release, and repeat the command.',
      );
    }
    return work({ ...options, directory, source, snapshot, target, tables });
  });
}

/** Commits the statements, or none of them. */
export async function transaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The state that a database records for the tenant, while it lasts. */
export async function stateAt(client: pg.Client, tenantId: string): Promise<string | null> {
  const { rows } = await client.query<{ state: string }>(
    `SELECT CASE WHEN state = 'fenced' AND until <= clock_timestamp() THEN 'active' ELSE state END AS state
     FROM cells.standings WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows[0]?.state ?? null;
}

export async function setState(client: pg.Client, tenantId: string, state: string): Promise<void> {
  await client.query(
    `INSERT INTO cells.standings (tenant_id, state) VALUES ($1, $2)
     ON CONFLICT (tenant_id) DO UPDATE SET state = EXCLUDED.state, until = NULL`,
    [tenantId, state],
  );
}

/** Whether a unique constraint or a foreign key refused a row. */
export function isConstraintViolation(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === UNIQUE_VIOLATION || code === FOREIGN_KEY_VIOLATION;
}
