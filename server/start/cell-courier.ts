import type pg from 'pg';
import type { Logger } from 'pino';
import { queueEvent } from '../modules/webhooks/index.ts';
import { openPool } from '../platform/cells/open-cells.ts';
import type { Statement, TenantDatabase } from '../platform/database/tenant-database.ts';
import { forEachConcurrently } from '../platform/for-each-concurrently.ts';

const EVERY_MS = 2_000;
/** Entries in a round. */
const AT_MOST = 1_000;
/** A cell that is away makes each of its tenants wait for a connection. */
const TENANTS_AT_A_TIME = 8;
/** Long enough to ask once more where a tenant is. One that is being moved or deleted is tried again in the next round. */
const WAIT_FOR_MOVE_MS = 25;
/** One holds the lock of a round, the other does its work. */
const CONNECTIONS = 2;
/** An arbitrary advisory lock number: one process delivers at a time. */
const COURIER_LOCK = 7_238_114_252n;

interface CourierOptions {
  /** The worker role's URL of the directory database. */
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
  readonly tenants: TenantDatabase;
  readonly log: Logger;
}

interface Entry {
  readonly id: string;
  readonly tenant_id: string;
  readonly kind: 'event' | 'erasure';
  // biome-ignore lint/suspicious/noExplicitAny: an event is stored as JSON by the code that queued it
  readonly detail: any;
}

/**
 * Applies what operations on identities left in the directory database for tenants elsewhere: events for webhooks, and
 * the erasure of removed members. An event is removed after it was applied, so a crash between repeats it. An erasure is
 * repeated for two minutes, because a request of the removed member may still be running, or until they are a member again.
 */
export function startCourier(options: CourierOptions): { stop(): Promise<void> } {
  const pool = openPool({ ...options }, options.databaseUrl, 'courier', CONNECTIONS);
  let current: Promise<void> | null = null;
  let stopping = false;
  const timer = setInterval(() => {
    current ??= round(pool, options, () => stopping)
      .catch((err: unknown) =>
        options.log.warn({ err }, 'Failed to apply directory changes to cells; trying again'),
      )
      .finally(() => {
        current = null;
      });
  }, EVERY_MS);
  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await current;
      await pool.end();
    },
  };
}

async function round(
  pool: pg.Pool,
  options: CourierOptions,
  isStopping: () => boolean,
): Promise<void> {
  const client = await pool.connect();
  // Closing its connection gives a lock up that was not released.
  let isBroken = true;
  try {
    const { rows: locks } = await client.query<{ ours: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS ours',
      [COURIER_LOCK],
    );
    if (locks[0]?.ours === true) {
      await applyWaiting(pool, options, isStopping);
      await client.query<{ pg_advisory_unlock: boolean }>('SELECT pg_advisory_unlock($1)', [
        COURIER_LOCK,
      ]);
    }
    isBroken = false;
  } finally {
    client.release(isBroken);
  }
}

async function applyWaiting(
  pool: pg.Pool,
  { tenants, log }: CourierOptions,
  isStopping: () => boolean,
): Promise<void> {
  const { rows } = await pool.query<Entry>(
    'SELECT id, tenant_id, kind, detail FROM cells.waiting($1)',
    [AT_MOST],
  );
  await forEachConcurrently(byTenant(rows), TENANTS_AT_A_TIME, async (entries) => {
    for (const entry of entries) {
      if (isStopping()) return;
      try {
        await apply(pool, tenants, entry);
        await pool.query('SELECT cells.delivered($1)', [entry.id]);
      } catch (err) {
        // The cell of this tenant may be away: its other entries have to wait, those of others do not.
        log.warn(
          { err, tenant: entry.tenant_id, kind: entry.kind },
          'Failed to apply a directory change to a cell',
        );
        return;
      }
    }
  });
}

/** The entries of each tenant in the order in which they were made. */
function byTenant(entries: readonly Entry[]): Iterable<Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.tenant_id);
    if (group === undefined) groups.set(entry.tenant_id, [entry]);
    else group.push(entry);
  }
  return groups.values();
}

async function apply(
  pool: pg.Pool,
  tenants: TenantDatabase,
  { tenant_id, kind, detail }: Entry,
): Promise<void> {
  const options = { waitForMoveMs: WAIT_FOR_MOVE_MS };
  if (kind === 'event') {
    await tenants.write(
      tenant_id,
      (db) => queueEvent(db, detail.type, new Date(detail.at), detail.data),
      options,
    );
    return;
  }
  // A member who has come back keeps what was stored since.
  const { rows } = await pool.query<{ since: Date | null }>(
    'SELECT cells.member_since($1, $2) AS since',
    [tenant_id, detail.userId],
  );
  const values = [detail.userId, rows[0]?.since ?? null];
  await tenants.write(tenant_id, (db) => db.sql(ERASE, values), options);
}

const ERASE: Statement = {
  name: 'cell-erase-member',
  reason: 'function',
  text: 'SELECT cells.erase_member($1, $2)',
};
