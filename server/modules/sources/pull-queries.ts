import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS, newId } from '../../platform/ids.ts';
import { queueJobs } from '../../platform/tracing/job-spans.ts';
import type { Requester } from './queries.ts';

export interface PullRow {
  readonly id: string;
  readonly projectId: string;
  readonly status: string;
  readonly parent: string;
  readonly state: unknown;
  readonly pages: number;
  readonly records: number;
  readonly missing: unknown;
  readonly problemCode: string | null;
  readonly problem: string | null;
  readonly inventoryId: string | null;
  readonly assets: number | null;
  readonly createdByKind: string;
  readonly createdById: string | null;
  readonly createdByLabel: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Statuses of pulls that have not ended. */
export const IN_PROGRESS = ['queued', 'running'];
/** Pulls of a project that are listed. */
const KEPT = 100;

const SHOWN = {
  id: true,
  projectId: true,
  status: true,
  parent: true,
  state: true,
  pages: true,
  records: true,
  missing: true,
  problemCode: true,
  problem: true,
  inventoryId: true,
  assets: true,
  createdByKind: true,
  createdById: true,
  createdByLabel: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
} as const;

/** Newest first. */
export function listPulls(
  db: TenantConnection,
  projectId: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<PullRow[]> {
  return db.prisma.pull.findMany({
    where: { tenantId: db.tenantId, projectId, id: { lt: before ?? AFTER_ALL_IDS } },
    select: SHOWN,
    orderBy: { id: 'desc' },
    take: limit,
  });
}

export function findPull(
  db: TenantConnection,
  projectId: string,
  id: string,
): Promise<PullRow | null> {
  return db.prisma.pull.findFirst({
    where: { tenantId: db.tenantId, projectId, id },
    select: SHOWN,
  });
}

/** The pull of a project that is queued or running. */
export function findPullInProgress(
  db: TenantConnection,
  projectId: string,
): Promise<PullRow | null> {
  return db.prisma.pull.findFirst({
    where: { tenantId: db.tenantId, projectId, status: { in: IN_PROGRESS } },
    select: SHOWN,
  });
}

/**
 * Queues a pull with the source of the project, and forgets old ones. A transaction that queues several pulls must use
 * `insertPullRow`.
 * @returns null when the project has no source, or a pull in progress.
 */
export async function insertPull(
  db: TenantConnection,
  projectId: string,
  by: Requester,
  now: Date,
): Promise<string | null> {
  const id = await insertPullRow(db, projectId, by, now);
  if (id !== null) await queueTurn(db, { pullId: id, turn: 0 });
  return id;
}

/**
 * The same without the job of its first turn, which the caller queues in the same transaction after inserting all its
 * pulls. Inserting a pull waits for other pulls of the project, and queueing the first job of a tenant for other first
 * jobs. In the other order, two transactions can deadlock; see decision 0047.
 */
export async function insertPullRow(
  db: TenantConnection,
  projectId: string,
  by: Requester,
  now: Date,
): Promise<string | null> {
  const id = newId();
  const values = [db.tenantId, projectId, id, by.kind, by.id, by.label, now];
  if ((await db.sql(INSERT, values)).length === 0) return null;
  await db.sql(FORGET, [db.tenantId, projectId, KEPT]);
  return id;
}

// One statement, so that a source that is deleted at the same moment is seen or not.
const INSERT: Statement = {
  name: 'pull-insert',
  reason: 'set',
  text: `INSERT INTO pulls (tenant_id, project_id, id, status, parent, turn, stalls, pages, records, bytes, missing,
                            created_by_kind, created_by_id, created_by_label, created_at)
         SELECT s.tenant_id, s.project_id, $3::uuid, 'queued', s.parent, 0, 0, 0, 0, 0, '[]',
                $4::text, $5::uuid, $6::text, $7::timestamptz
         FROM sources s WHERE s.tenant_id = $1 AND s.project_id = $2
         ON CONFLICT DO NOTHING
         RETURNING id`,
};

// Set-based.
const FORGET: Statement = {
  name: 'pulls-forget',
  reason: 'set',
  text: `DELETE FROM pulls
         WHERE tenant_id = $1 AND project_id = $2 AND id < (
           SELECT id FROM pulls WHERE tenant_id = $1 AND project_id = $2 ORDER BY id DESC OFFSET $3 LIMIT 1)
           AND status NOT IN ('queued', 'running')`,
};

/** Queues the job of a turn in this transaction. */
export async function queueTurn(
  db: TenantConnection,
  { pullId, turn }: { readonly pullId: string; readonly turn: number },
  delaySeconds = 0,
): Promise<void> {
  await queueJobs('pull-inventory', 1, (trace) =>
    db.sql(ENQUEUE, [pullId, turn, Math.ceil(delaySeconds), JSON.stringify(trace)]),
  );
}

// A function call of the schema jobs.
const ENQUEUE: Statement = {
  name: 'pull-enqueue',
  reason: 'function',
  text: 'SELECT jobs.enqueue_pull($1, $2, $3, $4::json)',
};

/** A pull that a schedule waits for. */
export interface AwaitedPull {
  readonly id: string;
  readonly project: string;
  readonly status: string;
  readonly problem: string | null;
}

/** Pulls that exist, with the names of their projects. */
export async function findAwaited(
  db: TenantConnection,
  ids: readonly string[],
): Promise<AwaitedPull[]> {
  const rows = await db.prisma.pull.findMany({
    where: { tenantId: db.tenantId, id: { in: [...ids] } },
    select: { id: true, status: true, problem: true, project: { select: { name: true } } },
  });
  return rows.map(({ project, ...row }) => ({ ...row, project: project.name }));
}
