import type pg from 'pg';
import { HOME } from '../../platform/cells/cell-config.ts';
import { inDeletionOrder, type TenantTable, tenantTables } from '../../platform/cells/tables.ts';
import { CommandError, type Operator } from '../operator.ts';
import { withWatchedConnections } from '../watched-connections.ts';

/** A database that can have rows of the tenant. */
export interface Place {
  readonly name: string;
  /** As the owner, bound to the tenant, and passing the guards of databases with cells. */
  readonly client: pg.Client;
  /** The tables of tenants, in the order in which their rows are deleted. */
  readonly tables: readonly TenantTable[];
}

/** The connections of one deletion. */
export interface Deletion {
  readonly tenantId: string;
  readonly home: Place;
  /** Home first, then the cells: an earlier move may have left rows anywhere. */
  readonly places: readonly Place[];
}

/** @param answerWithinMs how long a database may stay silent. Default: 10 seconds. */
export async function withDeletion<T>(
  { ownerUrl, cells }: Operator,
  {
    tenantId,
    answerWithinMs,
  }: { readonly tenantId: string; readonly answerWithinMs?: number | undefined },
  work: (deletion: Deletion) => Promise<T>,
): Promise<T> {
  return withWatchedConnections({ name: 'cspm tenant delete', answerWithinMs }, async (connect) => {
    const open = async (name: string, url: string): Promise<Place> => {
      const client = await connect(url);
      await client.query(
        "SELECT set_config('jit', 'off', false), set_config('app.tenant_id', $1, false), set_config('cells.mover', 'on', false)",
        [tenantId],
      );
      return { name, client, tables: inDeletionOrder(await tenantTables(client)) };
    };
    const home = await open(HOME, ownerUrl);
    const places = [home];
    for (const { name, ownerUrl: url } of cells) places.push(await open(name, url));
    await alone(home, tenantId);
    return work({ tenantId, home, places });
  });
}

/** @throws {CommandError} while another process moves or deletes the tenant, or when a move has not ended. */
async function alone({ client }: Place, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ ours: boolean }>(
    "SELECT pg_try_advisory_lock(hashtextextended('move ' || $1::text, 0)) AS ours",
    [tenantId],
  );
  if (rows[0]?.ours !== true) {
    throw new CommandError('Another process is moving or deleting this tenant.');
  }
  const moves = await client.query<{ cell: string }>(
    'SELECT to_cell AS cell FROM cells.moves WHERE tenant_id = $1',
    [tenantId],
  );
  const [move] = moves.rows;
  if (move !== undefined) {
    throw new CommandError(
      `A move to ${move.cell} has begun: finish it with \`tenant move ${tenantId} ${move.cell}\`, or abort it with --abort, before you delete the tenant.`,
    );
  }
}
