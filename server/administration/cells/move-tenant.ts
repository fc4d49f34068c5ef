import { setTimeout as delay } from 'node:timers/promises';
import { HOME } from '../../platform/cells/cell-config.ts';
import { inDeletionOrder, KEPT_AT_HOME, type TenantTable } from '../../platform/cells/tables.ts';
import { isOutage, isStatementOutOfResources } from '../../platform/database/unavailable.ts';
import { reasonOf } from '../../platform/reason.ts';
import { CommandError, type Operator, quantity, tenantOf } from '../operator.ts';
import { endCapture, startCapture } from './capture.ts';
import { pass } from './copy.ts';
import { fence, seal, unfence } from './fence.ts';
import {
  CopyConflict,
  type Move,
  setState,
  stateAt,
  transaction,
  withMove,
} from './move-context.ts';
import { prepareFor } from './prepare-for.ts';
import { activate, removeJobs } from './queue.ts';
import { count, deleteSome } from './table-sql.ts';
import { MonthsDiffer, verify } from './verify.ts';

/** A pass with fewer changes than this is repeated behind the fence. */
const FEW_CHANGES = 200;
const MAX_PASSES = 200;
const FENCE_ATTEMPTS = 5;
const COPY_ATTEMPTS = 3;
const FENCE_SECONDS = 10;
/** A read that began before the move ends within its statement timeout. */
const GRACE_MS = 10_000;
const DELETED_AT_ONCE = 2_000;

const NOT_BEGUN = 'No move of this tenant has begun.';

export interface MoveFlags {
  readonly dryRun?: boolean;
  readonly abort?: boolean;
  /** Default: 10 seconds. */
  readonly graceMs?: number;
  /** How long a database may stay silent. Default: 10 seconds. */
  readonly answerWithinMs?: number;
}

/**
 * Moves the rows of a tenant to another database while it is in use. A move that was killed is resumed by the same
 * command; before the switch it can be aborted instead.
 */
export async function moveTenant(
  operator: Operator,
  tenant: string,
  to: string,
  flags: MoveFlags = {},
): Promise<void> {
  const { cells, ownerUrl } = operator;
  const tenantId = await tenantOf(operator, tenant);
  if (to !== HOME && !cells.some(({ name }) => name === to)) {
    const names = [HOME, ...cells.map(({ name }) => name)].join(', ');
    throw new CommandError(`DATABASE_CELLS has no cell ${to}; there are: ${names}.`);
  }
  const { from, step } = await plannedMove(operator, tenantId, to);
  await prepareFor(operator, [from, to]);
  if (from === to) {
    if (flags.abort === true) throw new CommandError(NOT_BEGUN);
    operator.say(`Tenant ${tenantId} is on ${to}.`);
    return;
  }
  const options = {
    tenantId,
    from,
    to,
    homeUrl: ownerUrl,
    cells,
    say: operator.say,
    fenceSeconds: FENCE_SECONDS,
    answerWithinMs: flags.answerWithinMs,
  };
  await withMove(options, async (move) => {
    await alone(move);
    if (flags.dryRun === true) return plan(move);
    if (flags.abort === true) return abort(move, step);
    if (step !== 'switched') {
      await copyAndSwitch(move, step === null);
    }
    await activate(move);
    operator.say(`${to} serves tenant ${tenantId}`);
    await release(move, flags.graceMs ?? GRACE_MS);
    operator.say(`Tenant ${tenantId} was moved from ${from} to ${to}.`);
  }).catch((error: unknown) => {
    throw interrupted(error, flags);
  });
}

/** What a move cannot wait for, with the remedy. */
function interrupted(error: unknown, { abort: isAbort = false }: MoveFlags): unknown {
  if (!isOutage(error) || !(error instanceof Error)) return error;
  const reason = reasonOf(error);
  if (isStatementOutOfResources(error)) {
    const remedy = isAbort ? '' : ': the move continues. Or end it with --abort';
    return new CommandError(
      `A database has no room: ${reason}. Give it room, and repeat the command${remedy}.`,
      { cause: error },
    );
  }
  const continues = isAbort ? '' : ': the move continues';
  return new CommandError(
    `A database is unreachable: ${reason}. Repeat the command when it answers again${continues}.`,
    { cause: error },
  );
}

interface Planned {
  readonly from: string;
  /** The step at which a move was interrupted. */
  readonly step: 'copying' | 'switched' | null;
}

async function plannedMove({ pool }: Operator, tenantId: string, to: string): Promise<Planned> {
  const { rows: moves } = await pool.query<{
    from_cell: string;
    to_cell: string;
    step: 'copying' | 'switched';
  }>('SELECT from_cell, to_cell, step FROM cells.moves WHERE tenant_id = $1', [tenantId]);
  const [begun] = moves;
  if (begun !== undefined) {
    if (begun.to_cell !== to) {
      throw new CommandError(
        `A move to ${begun.to_cell} has begun: finish it with \`tenant move ${tenantId} ${begun.to_cell}\`, or abort it with --abort.`,
      );
    }
    return { from: begun.from_cell, step: begun.step };
  }
  const { rows } = await pool.query<{ cell: string }>('SELECT cell FROM cells.cell_of($1)', [
    tenantId,
  ]);
  return { from: rows[0]?.cell ?? HOME, step: null };
}

/**
 * Waits until statements that a killed process left running at the source or the target have ended.
 * @throws {CommandError} while another process moves the tenant.
 */
async function alone({ directory, source, target, tenantId }: Move): Promise<void> {
  const { rows } = await directory.query<{ ours: boolean }>(
    "SELECT pg_try_advisory_lock(hashtextextended('move ' || $1::text, 0)) AS ours",
    [tenantId],
  );
  if (rows[0]?.ours !== true) throw new CommandError('Another process is moving this tenant.');
  for (const [side, client] of [['source', source] as const, ['target', target] as const]) {
    await client.query("SELECT pg_advisory_lock(hashtextextended('move ' || $1 || $2::text, 0))", [
      side,
      tenantId,
    ]);
  }
}

async function plan({ source, tenantId, tables, say, from, to }: Move): Promise<void> {
  let total = 0;
  for (const table of tables) {
    const { rows } = await source.query<{ rows: string }>(count(table), [tenantId]);
    const number = Number(rows[0]?.rows ?? 0);
    total += number;
    if (number > 0) say(`${table.name}: ${quantity(number, 'row')}`);
  }
  say(`Would move ${quantity(total, 'row')} in ${tables.length} tables from ${from} to ${to}.`);
}

async function copyAndSwitch(move: Move, isNew: boolean): Promise<void> {
  const { directory, source, target, tenantId, from, to, say } = move;
  if (isNew) {
    await directory.query(
      "INSERT INTO cells.moves (tenant_id, from_cell, to_cell, step) VALUES ($1, $2, $3, 'copying')",
      [tenantId, from, to],
    );
  }
  // Sealed by a process that was killed before the switch: the copy is complete.
  if ((await stateAt(source, tenantId)) !== 'gone') {
    await setStateUnless(move, 'arriving');
    await startCapture(move);
    say('Noting changes');
    const { rows } = await target.query('SELECT 1 FROM cells.copied WHERE tenant_id = $1 LIMIT 1', [
      tenantId,
    ]);
    if (rows.length === 0) await beginCopy(move);
    await copyUntilSealed(move);
  }
  say('Switching');
  await transaction(directory, async () => {
    await directory.query('DELETE FROM cells.placements WHERE tenant_id = $1', [tenantId]);
    if (to !== HOME) {
      await directory.query('INSERT INTO cells.placements (tenant_id, cell) VALUES ($1, $2)', [
        tenantId,
        to,
      ]);
    }
    await directory.query("UPDATE cells.moves SET step = 'switched' WHERE tenant_id = $1", [
      tenantId,
    ]);
  });
}

/** The target refuses everybody else until it is active. */
async function setStateUnless({ target, tenantId }: Move, state: 'arriving'): Promise<void> {
  if ((await stateAt(target, tenantId)) !== state) await setState(target, tenantId, state);
}

/** Removes what an aborted move left, and creates the partitions that the rows need. */
async function beginCopy(move: Move): Promise<void> {
  await purge(move, 'target');
  await createPartitions(move);
}

async function createPartitions({ source, target, tenantId }: Move): Promise<void> {
  const { rows } = await source.query<{ since: Date | null }>(
    `SELECT LEAST((SELECT min(at) FROM audit_events WHERE tenant_id = $1),
                  (SELECT min(scan_at) FROM scan_findings WHERE tenant_id = $1)) AS since`,
    [tenantId],
  );
  const since = rows[0]?.since ?? null;
  if (since === null) return;
  const months = Math.ceil((Date.now() - since.getTime()) / (28 * 24 * 3_600_000)) + 1;
  await target.query('SELECT partitions.ensure($1, $2)', [
    since,
    Math.max(1, Math.min(months, 1_200)),
  ]);
}

async function copyUntilSealed(move: Move): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await catchUp(move);
      for (let fences = 1; ; fences += 1) {
        if (await sealedCopy(move)) return;
        if (fences === FENCE_ATTEMPTS) {
          throw new CommandError(
            `The remaining changes of tenant ${move.tenantId} could not be copied within ${move.fenceSeconds} s. It is in use on ${move.from} as before. Repeat the command when it writes less.`,
          );
        }
        await catchUp(move);
      }
    } catch (error) {
      if (attempt === COPY_ATTEMPTS) throw error;
      if (error instanceof MonthsDiffer) {
        await copyAgain(move, error.table);
        continue;
      }
      if (!(error instanceof CopyConflict)) throw error;
      move.say('Rows have exchanged unique values; copying again');
      await unfence(move);
      await move.target.query('DELETE FROM cells.copied WHERE tenant_id = $1', [move.tenantId]);
      await beginCopy(move);
    }
  }
}

/** Either database may have dropped an expired month since the table was copied. */
async function copyAgain(move: Move, table: TenantTable): Promise<void> {
  const { target, tenantId, say } = move;
  say(`A month of ${table.name} has expired; copying the table again`);
  await unfence(move);
  await target.query('DELETE FROM cells.copied WHERE tenant_id = $1 AND relation = $2', [
    tenantId,
    table.name,
  ]);
  await purgeTables(move, 'target', [table]);
  await createPartitions(move);
}

/** Passes until few changes are left, and one in which every value is compared. */
async function catchUp(move: Move): Promise<void> {
  for (let passes = 1; passes <= MAX_PASSES; passes += 1) {
    const { changed, complete } = await pass(move);
    if (complete && changed <= FEW_CHANGES) break;
  }
  // The target's statistics do not know the tenant yet.
  await move.target.query('SELECT jobs.analyze_grown()');
  await pass(move, async () => {
    await verify(move, 'values');
    move.say('Every value is the same');
  });
}

/** @returns false when the fence did not hold until the copy was complete. The tenant writes at the source again. */
async function sealedCopy(move: Move): Promise<boolean> {
  move.say('Fencing');
  if (await fence(move)) {
    const { changed } = await pass(move, () => verify(move, 'numbers'));
    move.say(`${changed} changes copied behind the fence`);
    if (await seal(move)) return true;
  }
  await unfence(move);
  return false;
}

/** What the source still has of the tenant. */
async function release(move: Move, graceMs: number): Promise<void> {
  const { directory, tenantId, from, say } = move;
  await removeJobs(move);
  await endCapture(move);
  await delay(graceMs);
  await removeJobs(move);
  await purge(move, 'source');
  say(`${from} has no rows of the tenant left`);
  await directory.query('DELETE FROM cells.moves WHERE tenant_id = $1', [tenantId]);
}

/** Deletes rows in batches, except those that the directory database keeps. */
function purge(move: Move, side: 'source' | 'target'): Promise<void> {
  return purgeTables(move, side, inDeletionOrder(move.tables));
}

async function purgeTables(
  move: Move,
  side: 'source' | 'target',
  tables: readonly TenantTable[],
): Promise<void> {
  const name = side === 'source' ? move.from : move.to;
  const isKept = ({ name: table }: TenantTable) => name === HOME && KEPT_AT_HOME.has(table);
  for (const table of tables.filter((one) => !isKept(one))) {
    for (;;) {
      const { rowCount } = await move[side].query(deleteSome(table), [
        move.tenantId,
        DELETED_AT_ONCE,
      ]);
      if ((rowCount ?? 0) === 0) break;
    }
  }
}

async function abort(move: Move, step: Planned['step']): Promise<void> {
  const { directory, source, target, tenantId, from, say } = move;
  if (step === null) throw new CommandError(NOT_BEGUN);
  if (step === 'switched' || (await stateAt(source, tenantId)) === 'gone') {
    throw new CommandError(
      'The move is past its switch: repeat the command without --abort to finish it.',
    );
  }
  await unfence(move);
  await endCapture(move);
  await setState(target, tenantId, 'gone');
  await purge(move, 'target');
  await target.query('DELETE FROM cells.copied WHERE tenant_id = $1', [tenantId]);
  await directory.query('DELETE FROM cells.moves WHERE tenant_id = $1', [tenantId]);
  say(`The move was aborted; tenant ${tenantId} is on ${from}.`);
}
