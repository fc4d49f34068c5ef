import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { HOME } from '../../platform/cells/cell-config.ts';
import { isOutage, sqlStateOf } from '../../platform/database/unavailable.ts';
import { reasonOf } from '../../platform/reason.ts';
import { transaction } from '../cells/move-context.ts';
import { prepareFor } from '../cells/prepare-for.ts';
import { removeJobs } from '../cells/queue.ts';
import { count, deleteSome } from '../cells/table-sql.ts';
import { CommandError, type Operator, quantity, tenantOf } from '../operator.ts';
import { printable } from '../tenants.ts';
import { type Deletion, type Place, withDeletion } from './deletion-context.ts';
import { endMails } from './mails.ts';
import { endRefusal, refuseWrites } from './refuse-writes.ts';

/** Rows per transaction: few enough that no lock is held for long. */
const DELETED_AT_ONCE = 2_000;
/** A request or a step of a job that began before ends within its statement timeout. */
const GRACE_MS = 10_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface DeletionFlags {
  /** Leaves out databases that do not answer, if the tenant is not there. */
  readonly skipUnreachable?: boolean;
  /** Default: 10 seconds. */
  readonly graceMs?: number;
  /** How long a database may stay silent. Default: 10 seconds. */
  readonly answerWithinMs?: number;
}

/**
 * Deletes a tenant: its access at once, then its rows in batches, its members, and at last the tenant itself. Every step
 * can be repeated, so the same command continues a deletion that was killed. The tenant cannot write meanwhile.
 * @param confirmed the name of the tenant; null only counts what would be deleted.
 * @throws {CommandError} for another id or name, and while the tenant is moved.
 */
export async function deleteTenant(
  operator: Operator,
  tenant: string,
  confirmed: string | null,
  { graceMs = GRACE_MS, skipUnreachable = false, answerWithinMs }: DeletionFlags = {},
): Promise<void> {
  const tenantId = await tenantOf(operator, tenant);
  const { rows } = await operator.pool.query<{ name: string }>(
    'SELECT name FROM identity.tenants WHERE id = $1',
    [tenantId],
  );
  const name = rows[0]?.name ?? '';
  if (confirmed !== null && confirmed !== name) {
    throw new CommandError(
      `Tenant ${tenantId} is named "${printable(name)}", not "${printable(confirmed)}". Nothing was deleted.`,
    );
  }
  const cells = await prepareFor(operator, [await cellOf(operator, tenantId)]);
  const skipped = operator.cells.filter((cell) => !cells.includes(cell)).map((cell) => cell.name);
  if (skipped.length > 0 && !skipUnreachable) {
    throw new CommandError(
      `The databases of these cells do not answer: ${skipped.join(', ')}. Nothing was changed. Repeat the command when they do, or with --skip-unreachable: the tenant is not there, but what an earlier move or deletion may have left there remains.`,
    );
  }
  await withDeletion({ ...operator, cells }, { tenantId, answerWithinMs }, async (deletion) => {
    const total = await sayCounts(operator, deletion);
    if (confirmed === null) {
      throw new CommandError(
        `Nothing was deleted. To delete tenant ${tenantId} and ${quantity(total, 'row')} permanently, repeat the command with --confirm and its name: "${printable(name)}".`,
      );
    }
    // Before the triggers, which can wait for tables for minutes, and again for what requests in flight opened meanwhile.
    await endAccess(deletion);
    for (const place of deletion.places) await refuseWrites(place, tenantId);
    await endAccess(deletion);
    operator.say('Ended all sessions and API keys; writes are refused');
    await purge(operator, deletion);
    const accounts = await removeMembers(deletion);
    await delay(graceMs);
    await purge(operator, deletion);
    await endMails(operator, deletion);
    for (const place of deletion.places) await endRefusal(place, tenantId);
    await deleteRest(deletion);
    const rest = skipped.length === 0 ? '' : ` Skipped: ${skipped.join(', ')}.`;
    operator.say(
      `${operator.clock.now().toISOString()} Deleted tenant ${tenantId} "${printable(name)}" with ${quantity(total, 'row')} and ${quantity(accounts, 'account')}.${rest}`,
    );
  }).catch((error: unknown) => {
    throw interrupted(error);
  });
}

/** The cell that has the rows of the tenant, or `home`. */
async function cellOf({ pool }: Operator, tenantId: string): Promise<string> {
  const { rows } = await pool.query<{ cell: string }>('SELECT cell FROM cells.cell_of($1)', [
    tenantId,
  ]);
  return rows[0]?.cell ?? HOME;
}

/** What a deletion cannot wait for any longer, with the remedy. */
function interrupted(error: unknown): unknown {
  const isLocked = sqlStateOf(error) === LOCK_NOT_AVAILABLE;
  if (!(error instanceof Error) || !(isLocked || isOutage(error))) return error;
  const reason = isLocked
    ? 'A long transaction or a vacuum locks a table'
    : `A database is unreachable: ${reasonOf(error)}`;
  return new CommandError(`${reason}. Repeat the command: the deletion continues.`, {
    cause: error,
  });
}

/** Says how many rows each table has, and how many members. */
async function sayCounts({ say }: Operator, { tenantId, home, places }: Deletion): Promise<number> {
  let total = 0;
  for (const { name, client, tables } of places) {
    for (const table of tables) {
      const { rows } = await client.query<{ rows: string }>(count(table), [tenantId]);
      const number = Number(rows[0]?.rows ?? 0);
      total += number;
      if (number > 0) say(`${table.name}: ${quantity(number, 'row')} in ${name}`);
    }
  }
  const { rows } = await home.client.query<{ members: number; accounts: number }>(MEMBERS, [
    tenantId,
  ]);
  const { members = 0, accounts = 0 } = rows[0] ?? {};
  say(`${quantity(members, 'member')}, ${accounts} of them with no other tenant`);
  return total;
}

/**
 * Identity providers and domains first, from which further sessions and members could come. Members are removed only after
 * the rows; until then they count as invited, so that sign-ins and mails of theirs concern their other tenants only.
 */
async function endAccess({ home: { client }, tenantId }: Deletion): Promise<void> {
  await transaction(client, async () => {
    for (const table of ['saml_connections', 'tenant_domains', 'mail_tokens']) {
      await client.query(`DELETE FROM identity.${table} WHERE tenant_id = $1`, [tenantId]);
    }
    await client.query(
      "DELETE FROM identity.one_time_values v WHERE v.detail->>'tenantId' = $1::text",
      [tenantId],
    );
    for (const table of ['sessions', 'api_keys']) {
      await client.query(`DELETE FROM identity.${table} WHERE tenant_id = $1`, [tenantId]);
    }
  });
  await client.query(
    "UPDATE identity.memberships SET status = 'invited' WHERE tenant_id = $1 AND status <> 'invited'",
    [tenantId],
  );
}

async function purge({ say }: Operator, { tenantId, places }: Deletion): Promise<void> {
  for (const { name, client, tables } of places) {
    await removeJobs({ source: client, tenantId });
    for (const table of tables) {
      let deleted = 0;
      for (;;) {
        const { rowCount } = await client.query(deleteSome(table), [tenantId, DELETED_AT_ONCE]);
        deleted += rowCount ?? 0;
        if ((rowCount ?? 0) < DELETED_AT_ONCE) break;
      }
      if (deleted > 0) say(`${table.name}: deleted ${deleted} rows in ${name}`);
    }
  }
}

/** As the removal of a member does, one transaction each. @returns how many accounts had no other tenant. */
async function removeMembers({ home: { client }, tenantId }: Deletion): Promise<number> {
  let accounts = 0;
  for (;;) {
    const { rows } = await client.query<{ id: string }>(
      'SELECT user_id AS id FROM identity.memberships WHERE tenant_id = $1 ORDER BY user_id LIMIT 1',
      [tenantId],
    );
    const [member] = rows;
    if (member === undefined) return accounts;
    await client.query('SELECT identity.remove_member($1)', [member.id]);
    const { rowCount } = await client.query('SELECT FROM identity.users WHERE id = $1', [
      member.id,
    ]);
    if (rowCount === 0) accounts += 1;
  }
}

/**
 * Deletes what tables of other schemas have of the tenant, and the tenant last: until then the command can be repeated.
 * @throws {CommandError} when rows were written in the meantime.
 */
async function deleteRest({ home, places, tenantId }: Deletion): Promise<void> {
  const left = `Rows of tenant ${tenantId} were written in the meantime. Repeat the command.`;
  for (const { client, tables } of places) {
    for (const table of tables) {
      const { rows } = await client.query<{ rows: string }>(count(table), [tenantId]);
      if (rows[0]?.rows !== '0') throw new CommandError(left);
    }
  }
  for (const place of places.toReversed()) {
    await transaction(place.client, async () => {
      if (place === home) {
        const { rowCount } = await home.client.query(
          'SELECT FROM identity.tenants WHERE id = $1 FOR UPDATE',
          [tenantId],
        );
        const members = await home.client.query(
          'SELECT FROM identity.memberships WHERE tenant_id = $1 LIMIT 1',
          [tenantId],
        );
        if (rowCount !== 1 || members.rowCount !== 0) throw new CommandError(left);
      }
      for (const table of await otherTables(place)) {
        await place.client.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
      }
      if (place === home) {
        await home.client.query('DELETE FROM identity.tenants WHERE id = $1', [tenantId]);
      }
    });
  }
}

/** The tables with a tenant outside of the schema `public`, as SQL. They have few rows by now. */
async function otherTables({ client }: Place): Promise<string[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(OTHER_TABLES);
  return rows.map(
    ({ schema, name }) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
  );
}

const MEMBERS = `
  SELECT count(*)::int AS members, count(*) FILTER (WHERE NOT EXISTS (
    SELECT FROM identity.memberships o WHERE o.user_id = m.user_id AND o.tenant_id <> m.tenant_id
  ))::int AS accounts
  FROM identity.memberships m WHERE m.tenant_id = $1`;

const OTHER_TABLES = `
  SELECT n.nspname AS schema, c.relname AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('identity', 'jobs', 'cells') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
    )
  ORDER BY n.nspname, c.relname`;
