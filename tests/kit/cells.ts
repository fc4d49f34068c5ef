import { Writable } from 'node:stream';
import type { MoveFlags } from '../../server/administration/cells/move-tenant.ts';
import { moveTenant } from '../../server/administration/cells/move-tenant.ts';
import {
  type DeletionFlags,
  deleteTenant,
} from '../../server/administration/deletion/delete-tenant.ts';
import type { Operator } from '../../server/administration/operator.ts';
import type { Cell } from '../../server/platform/cells/cell-config.ts';
import { prepareCells } from '../../server/platform/cells/prepare.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createPool } from '../../server/platform/database/pool.ts';
import { TenantDatabase } from '../../server/platform/database/tenant-database.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';

/** A directory database, and another database for tenants. */
export interface TestCells {
  readonly home: TestDatabase;
  readonly other: TestDatabase;
  readonly cells: readonly [Cell];
  drop(): Promise<void>;
}

export const OTHER = 'other';

export async function testCells(): Promise<TestCells> {
  const [home, other] = [await cloneDatabase(), await cloneDatabase()];
  const { ownerUrl, appUrl, workerUrl } = other;
  const cells = [{ name: OTHER, ownerUrl, appUrl, workerUrl }] as const;
  await prepareCells(home.ownerUrl, cells);
  return {
    home,
    other,
    cells,
    drop: async () => {
      await home.drop();
      await other.drop();
    },
  };
}

/**
 * Runs `admin tenant move` in this process.
 * @param watch receives each line; one that throws ends the move there, as a kill does.
 * @returns the lines
 */
export function move(
  databases: Databases,
  tenantId: string,
  to: string,
  flags: MoveFlags = {},
  watch: Watch = () => undefined,
): Promise<string[]> {
  return operated(databases, watch, (operator) =>
    moveTenant(operator, tenantId, to, { graceMs: 0, ...flags }),
  );
}

/** Runs `admin tenant delete` in this process, as `move` does. */
export function deleteTenantOf(
  databases: Databases,
  tenantId: string,
  confirmed: string | null,
  watch: Watch = () => undefined,
  flags: DeletionFlags = {},
): Promise<string[]> {
  return operated(databases, watch, (operator) =>
    deleteTenant(operator, tenantId, confirmed, { graceMs: 0, ...flags }),
  );
}

interface Databases {
  readonly home: TestDatabase;
  readonly cells: readonly Cell[];
}

type Watch = (line: string) => void | Promise<void>;

async function operated(
  { home, cells }: Databases,
  watch: Watch,
  work: (operator: Operator) => Promise<void>,
): Promise<string[]> {
  const lines: string[] = [];
  const pool = createPool({
    url: home.ownerUrl,
    name: 'cspm admin',
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    onError: () => undefined,
  });
  const tenants = new TenantDatabase(pool);
  const operator = {
    pool,
    tenants,
    rows: tenants,
    ownerUrl: home.ownerUrl,
    cells,
    clock: systemClock,
    appSecrets: async () => [],
    out: new Writable(),
    warn: () => undefined,
    say: (line: string) => {
      lines.push(line);
      void watch(line);
    },
  };
  try {
    await work(operator);
  } finally {
    await pool.end();
  }
  return lines;
}
