import { GOOGLE_CLOUD_ERROR_CODES, type PullState } from '@cspm/google-cloud';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { findPullInProgress, IN_PROGRESS, queueTurn } from './pull-queries.ts';
import type { Requester } from './queries.ts';

/** Where a pull is, stored with the pages that it has read. */
export interface StoredState {
  readonly pull: PullState;
  /** How often it began again, because Google no longer accepted a page token. */
  readonly restarts: number;
}

/** The payload of a queued job. A pull has one at a time; a job with an earlier turn does nothing. */
export interface PullTurn {
  readonly tenantId: string;
  readonly pullId: string;
  readonly turn: number;
}

/** A turn held by one worker. The token tells a worker that was presumed dead from its successor. */
export interface HeldTurn extends PullTurn {
  readonly leaseToken: string;
}

/** Another worker has the pull, or it has ended. Nothing more may be written for it. */
export class PullLost extends Error {
  override readonly name = 'PullLost';
}

/** What a worker needs for a turn. */
export interface TakenPull {
  readonly projectId: string;
  readonly state: StoredState | null;
  readonly parent: string;
  readonly stalls: number;
  readonly bytes: number;
  /** Number of stored pages, and the number of the next one. */
  readonly pages: number;
  readonly createdBy: Requester;
}

/**
 * Takes a turn. A previous holder loses it.
 * @returns null when the pull has ended, or this turn is over.
 */
export async function takeTurn(
  db: TenantConnection,
  { pullId, turn, leaseToken }: HeldTurn,
  now: Date,
): Promise<TakenPull | null> {
  const [row] = await db.sql<TakenRow>(TAKE, [db.tenantId, pullId, turn, leaseToken, now]);
  if (row === undefined) return null;
  return {
    projectId: row.project_id,
    // The server wrote it, so its shape is known.
    state: row.state as StoredState | null,
    parent: row.parent,
    stalls: row.stalls,
    bytes: Number(row.bytes),
    pages: row.stored,
    createdBy: { kind: row.created_by_kind, id: row.created_by_id, label: row.created_by_label },
  };
}

interface TakenRow {
  project_id: string;
  state: unknown;
  parent: string;
  stalls: number;
  bytes: string;
  stored: number;
  created_by_kind: string;
  created_by_id: string | null;
  created_by_label: string;
}

const TAKE: Statement = {
  name: 'pull-take',
  reason: 'hot path',
  text: `UPDATE pulls p
         SET holder = $4, status = 'running', started_at = COALESCE(started_at, $5::timestamptz)
         WHERE tenant_id = $1 AND id = $2 AND turn = $3 AND status IN ('queued', 'running')
         RETURNING project_id, state, parent, stalls, bytes, created_by_kind, created_by_id, created_by_label,
           (SELECT COALESCE(max(g.seq) + 1, 0) FROM pull_pages g
            WHERE g.tenant_id = $1 AND g.pull_id = $2) AS stored`,
};

/** What a page adds to a pull. */
export interface StoredPage {
  readonly seq: number;
  /** Null: the page has no records. */
  readonly data: Buffer | null;
  readonly bytes: number;
  readonly state: StoredState;
}

/**
 * Stores a page with the state after it, in one transaction.
 * @throws {PullLost}
 */
export async function storePage(
  db: TenantConnection,
  held: HeldTurn,
  { seq, data, bytes, state }: StoredPage,
): Promise<void> {
  const { pages, records, missing } = state.pull;
  await update(db, held, ADVANCE, [
    JSON.stringify(state),
    pages,
    records,
    bytes,
    JSON.stringify(missing),
  ]);
  if (data === null) return;
  await db.sql(STORE_PAGE, [db.tenantId, held.pullId, seq, data]);
}

// Prisma would encode the bytes of the page on the event loop, in 25 ms for the largest one.
const STORE_PAGE: Statement = {
  name: 'pull-store-page',
  reason: 'hot path',
  text: 'INSERT INTO pull_pages (tenant_id, pull_id, seq, data) VALUES ($1, $2, $3, $4)',
};

const ADVANCE: Statement = {
  name: 'pull-advance',
  reason: 'hot path',
  text: `UPDATE pulls SET state = $5::jsonb, pages = $6, records = $7, bytes = bytes + $8, missing = $9::jsonb, stalls = 0
         WHERE tenant_id = $1 AND id = $2 AND turn = $3 AND holder = $4 AND status = 'running'
         RETURNING id`,
};

/**
 * Discards all pages and begins again.
 * @throws {PullLost}
 */
export async function restartPull(
  db: TenantConnection,
  held: HeldTurn,
  state: StoredState,
): Promise<void> {
  await update(db, held, RESTART, [JSON.stringify(state)]);
  await deletePages(db, held.pullId);
}

const RESTART: Statement = {
  name: 'pull-restart',
  reason: 'hot path',
  text: `UPDATE pulls SET state = $5::jsonb, pages = 0, records = 0, bytes = 0, missing = '[]'
         WHERE tenant_id = $1 AND id = $2 AND turn = $3 AND holder = $4 AND status = 'running'
         RETURNING id`,
};

/**
 * Ends a turn and queues the next one.
 * @param stalls since the last page
 * @throws {PullLost}
 */
export async function endTurn(
  db: TenantConnection,
  held: HeldTurn,
  { delaySeconds, stalls }: { readonly delaySeconds: number; readonly stalls: number },
): Promise<void> {
  await update(db, held, END_TURN, [stalls]);
  await queueTurn(db, { pullId: held.pullId, turn: held.turn + 1 }, delaySeconds);
}

const END_TURN: Statement = {
  name: 'pull-end-turn',
  reason: 'hot path',
  text: `UPDATE pulls SET turn = turn + 1, stalls = $5, holder = NULL
         WHERE tenant_id = $1 AND id = $2 AND turn = $3 AND holder = $4 AND status = 'running'
         RETURNING id`,
};

/** @throws {PullLost} */
export async function completePull(
  db: TenantConnection,
  held: HeldTurn,
  end: {
    readonly status: 'completed' | 'partial';
    readonly inventoryId: string;
    readonly assets: number;
    readonly at: Date;
  },
): Promise<void> {
  await update(db, held, COMPLETE, [end.status, end.inventoryId, end.assets, end.at]);
  await deletePages(db, held.pullId);
}

const COMPLETE: Statement = {
  name: 'pull-complete',
  reason: 'hot path',
  text: `UPDATE pulls SET status = $5, inventory_id = $6, assets = $7, finished_at = $8, holder = NULL
         WHERE tenant_id = $1 AND id = $2 AND turn = $3 AND holder = $4 AND status = 'running'
         RETURNING id`,
};

/** Why a pull has failed: a code of Google's client, or one of these. docs/google-cloud.md describes each. */
export const PULL_FAULT_CODES = [
  ...GOOGLE_CLOUD_ERROR_CODES,
  'source_changed',
  'too_large',
  'no_capacity',
  'worker_died',
  'internal',
] as const;

export interface PullFault {
  readonly code: (typeof PULL_FAULT_CODES)[number];
  readonly problem: string;
}

export const SOURCE_REPLACED: PullFault = {
  code: 'source_changed',
  problem: 'The source was replaced during the pull. Start another pull.',
};
export const SOURCE_DELETED: PullFault = {
  code: 'source_changed',
  problem: 'The source was deleted during the pull.',
};

/** The pull was queued for a source that was deleted or replaced since, by a request that could not see the pull. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged';
  readonly fault: PullFault;

  constructor(fault: PullFault) {
    super(fault.problem);
    this.fault = fault;
  }
}

/** A pull that has failed, as the audit trail names it. */
export interface FailedPull {
  readonly project: string;
  readonly createdBy: Requester;
}

/**
 * Fails a pull at a turn, regardless of the worker that holds it.
 * @returns null when it has ended or is at another turn.
 */
export async function failPull(
  db: TenantConnection,
  { pullId, turn, leaseToken = null }: Omit<PullTurn, 'tenantId'> & { leaseToken?: string | null },
  { code, problem }: PullFault,
  now: Date,
): Promise<FailedPull | null> {
  const values = [db.tenantId, pullId, turn, leaseToken, code, problem, now];
  const [row] = await db.sql<FailedRow>(FAIL, values);
  if (row === undefined) return null;
  await deletePages(db, pullId);
  return {
    project: row.name,
    createdBy: { kind: row.created_by_kind, id: row.created_by_id, label: row.created_by_label },
  };
}

interface FailedRow {
  name: string;
  created_by_kind: string;
  created_by_id: string | null;
  created_by_label: string;
}

const FAIL: Statement = {
  name: 'pull-fail',
  reason: 'set',
  text: `UPDATE pulls l SET status = 'failed', problem_code = $5, problem = $6, finished_at = $7, holder = NULL
         FROM projects p
         WHERE l.tenant_id = $1 AND l.id = $2 AND l.turn = $3 AND ($4::uuid IS NULL OR l.holder = $4)
           AND l.status IN ('queued', 'running') AND p.tenant_id = $1 AND p.id = l.project_id
         RETURNING p.name, l.created_by_kind, l.created_by_id, l.created_by_label`,
};

/** Fails the pull of a project that is in progress. */
export async function failPullsOf(
  db: TenantConnection,
  projectId: string,
  { code, problem }: PullFault,
  now: Date,
): Promise<void> {
  const { tenantId } = db;
  const found = await findPullInProgress(db, projectId);
  if (found === null) return;
  await db.prisma.pull.updateMany({
    where: { tenantId, id: found.id, status: { in: IN_PROGRESS } },
    data: { status: 'failed', problemCode: code, problem, finishedAt: now, holder: null },
  });
  await deletePages(db, found.id);
}

/** One stored page; null: there is none with this number. */
export async function readPage(
  db: TenantConnection,
  pullId: string,
  seq: number,
): Promise<Uint8Array | null> {
  const slices: Buffer[] = [];
  for (let from = 1; ; from += SLICE_BYTES) {
    const values = [db.tenantId, pullId, seq, from, SLICE_BYTES];
    const [slice] = await db.sql<{ data: Buffer }>(READ_SLICE, values);
    if (slice === undefined) return null;
    slices.push(slice.data);
    if (slice.data.length < SLICE_BYTES) return Buffer.concat(slices);
  }
}

/** Decoding the bytes of the largest page at once would take 30 ms of the event loop. */
const SLICE_BYTES = 1024 * 1024;

const READ_SLICE: Statement = {
  name: 'pull-read-slice',
  reason: 'hot path',
  text: `SELECT substring(data FROM $4::int FOR $5::int) AS data FROM pull_pages
         WHERE tenant_id = $1 AND pull_id = $2 AND seq = $3`,
};

async function deletePages(db: TenantConnection, pullId: string): Promise<void> {
  await db.prisma.pullPage.deleteMany({ where: { tenantId: db.tenantId, pullId } });
}

async function update(
  db: TenantConnection,
  { pullId, turn, leaseToken }: HeldTurn,
  statement: Statement,
  more: readonly unknown[],
): Promise<void> {
  const updated = await db.sql(statement, [db.tenantId, pullId, turn, leaseToken, ...more]);
  if (updated.length === 0)
    throw new PullLost(`Pull ${pullId} has ended, or another worker runs it`);
}
