import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS } from '../../platform/ids.ts';
import { type MembershipRow, membershipFrom } from '../../platform/principal.ts';

/** What a person can set. */
export interface ScheduleContent {
  readonly name: string;
  readonly projects: readonly string[];
  readonly profile: string;
  readonly cron: string;
  readonly timezone: string;
  readonly pullFirst: boolean;
  readonly enabled: boolean;
}

export interface ScheduleRow extends ScheduleContent {
  readonly id: string;
  readonly createdById: string;
  readonly createdAt: Date;
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly lastScanId: string | null;
  readonly lastProblem: string | null;
  readonly disabledCode: string | null;
  readonly disabledAt: Date | null;
  /** What the run in progress waits for; see PulledFirst. Empty: no run is in progress. */
  readonly awaitedPulls: unknown;
}

/** A schedule with the name of its creator and the status of its last scan. */
export interface ShownSchedule extends ScheduleRow {
  readonly creator: string;
  /** Null: there was none, or it was deleted. */
  readonly lastScanStatus: string | null;
}

const SELECT = {
  id: true,
  name: true,
  projects: true,
  profile: true,
  cron: true,
  timezone: true,
  pullFirst: true,
  enabled: true,
  createdById: true,
  createdAt: true,
  nextRunAt: true,
  lastRunAt: true,
  lastScanId: true,
  lastProblem: true,
  disabledCode: true,
  disabledAt: true,
  awaitedPulls: true,
} as const;

/** Newest first. */
export async function listSchedules(
  db: TenantConnection,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<ShownSchedule[]> {
  const rows = await db.prisma.schedule.findMany({
    where: { tenantId: db.tenantId, id: { lt: before ?? AFTER_ALL_IDS } },
    select: SELECT,
    orderBy: { id: 'desc' },
    take: limit,
  });
  return shown(db, rows);
}

export async function findSchedule(
  db: TenantConnection,
  id: string,
): Promise<ShownSchedule | null> {
  const row = await findRow(db, id);
  if (row === null) return null;
  const [schedule] = await shown(db, [row]);
  return schedule ?? null;
}

/** The same, held until the transaction ends: a worker that launches its scan at this moment comes before or after. */
export async function lockSchedule(db: TenantConnection, id: string): Promise<ScheduleRow | null> {
  const held = await db.sql<{ id: string }>(LOCK, [db.tenantId, id]);
  return held.length === 0 ? null : findRow(db, id);
}

/**
 * A schedule that is enabled and due, held until the transaction ends. One that is not due yet is noted as due at the right
 * time: a worker may have postponed it while a person changed its times.
 * @returns null also when another transaction holds it.
 */
export async function claimSchedule(
  db: TenantConnection,
  id: string,
  now: Date,
): Promise<ScheduleRow | null> {
  const held = await db.sql<{ id: string }>(CLAIM, [db.tenantId, id, now]);
  if (held.length > 0) return findRow(db, id);
  await db.sql(NOTE_DUE, [db.tenantId, id, now]);
  return null;
}

export function countSchedules(db: TenantConnection): Promise<number> {
  return db.prisma.schedule.count({ where: { tenantId: db.tenantId } });
}

/** @returns false if a schedule already has that name. */
export async function insertSchedule(
  db: TenantConnection,
  schedule: ScheduleContent & {
    readonly id: string;
    readonly createdById: string;
    readonly createdAt: Date;
    readonly nextRunAt: Date | null;
  },
): Promise<boolean> {
  const data = { tenantId: db.tenantId, ...schedule, projects: [...schedule.projects] };
  const { count } = await db.prisma.schedule.createMany({ data, skipDuplicates: true });
  return count > 0;
}

export async function isScheduleNameTaken(
  db: TenantConnection,
  name: string,
  exceptId: string,
): Promise<boolean> {
  const where = { tenantId: db.tenantId, name, id: { not: exceptId } };
  return (await db.prisma.schedule.count({ where })) > 0;
}

/** Replaces what a person can set. The reason why the service disabled it ends with that. */
export async function updateSchedule(
  db: TenantConnection,
  id: string,
  content: ScheduleContent & { readonly createdById: string; readonly nextRunAt: Date | null },
): Promise<void> {
  await db.prisma.schedule.updateMany({
    where: { tenantId: db.tenantId, id },
    data: {
      ...content,
      projects: [...content.projects],
      disabledCode: null,
      disabledAt: null,
      // A run in progress is given up, but its pulls continue.
      awaitedPulls: [],
    },
  });
}

/** Notes what the run in progress waits for. */
export async function recordAwaited(
  db: TenantConnection,
  id: string,
  awaited: readonly object[],
): Promise<void> {
  await db.prisma.schedule.updateMany({
    where: { tenantId: db.tenantId, id },
    data: { awaitedPulls: JSON.parse(JSON.stringify(awaited)) },
  });
}

/** Records a run and when the next one is due. */
export async function recordRun(
  db: TenantConnection,
  id: string,
  run: {
    readonly at: Date;
    readonly scanId: string | null;
    readonly problem: string | null;
    readonly nextRunAt: Date | null;
  },
): Promise<void> {
  await db.prisma.schedule.updateMany({
    where: { tenantId: db.tenantId, id },
    data: {
      lastRunAt: run.at,
      lastScanId: run.scanId,
      lastProblem: run.problem,
      nextRunAt: run.nextRunAt,
      awaitedPulls: [],
    },
  });
}

/**
 * Disables the enabled schedules of a creator, except those that another transaction holds.
 * @returns their ids and names.
 */
export async function disableSchedulesOf(
  db: TenantConnection,
  creatorId: string,
  reason: { readonly code: string; readonly at: Date },
): Promise<{ id: string; name: string }[]> {
  const values = [db.tenantId, creatorId, reason.code, reason.at];
  return db.sql<{ id: string; name: string }>(DISABLE, values);
}

/** @returns false when there is no such schedule. */
export async function deleteSchedule(db: TenantConnection, id: string): Promise<boolean> {
  const { count } = await db.prisma.schedule.deleteMany({ where: { tenantId: db.tenantId, id } });
  return count > 0;
}

/** The present standing of a creator in the tenant. */
export type Creator = ReturnType<typeof membershipFrom> & {
  readonly email: string;
  readonly isActive: boolean;
};

/** @returns null when the person has left the tenant. */
export async function findCreator(db: TenantConnection, userId: string): Promise<Creator | null> {
  const [row] = await db.sql<CreatorRow>(CREATOR, [userId]);
  if (row === undefined) return null;
  return { ...membershipFrom(row), email: row.email, isActive: row.is_active };
}

interface CreatorRow extends MembershipRow {
  email: string;
  is_active: boolean;
}

function findRow(db: TenantConnection, id: string): Promise<ScheduleRow | null> {
  return db.prisma.schedule.findUnique({
    where: { tenantId_id: { tenantId: db.tenantId, id } },
    select: SELECT,
  });
}

async function shown(db: TenantConnection, rows: readonly ScheduleRow[]): Promise<ShownSchedule[]> {
  if (rows.length === 0) return [];
  const { tenantId } = db;
  const labels = await db.prisma.auditLabel.findMany({
    where: { tenantId, actorId: { in: [...new Set(rows.map((row) => row.createdById))] } },
    select: { actorId: true, label: true },
  });
  const scans = await db.prisma.scan.findMany({
    where: { tenantId, id: { in: rows.flatMap(({ lastScanId }) => lastScanId ?? []) } },
    select: { id: true, status: true },
  });
  const labelOf = new Map(labels.map(({ actorId, label }) => [actorId, label]));
  const statusOf = new Map(scans.map(({ id, status }) => [id, status]));
  return rows.map((row) => ({
    ...row,
    creator: labelOf.get(row.createdById) ?? 'removed user',
    lastScanStatus: row.lastScanId === null ? null : (statusOf.get(row.lastScanId) ?? null),
  }));
}

// Written by hand because Prisma Client takes no row locks.
const LOCK: Statement = {
  name: 'schedule-lock',
  reason: 'lock',
  text: 'SELECT id FROM schedules WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
};
const CLAIM: Statement = {
  name: 'schedule-claim',
  reason: 'lock',
  text: `SELECT id FROM schedules WHERE tenant_id = $1 AND id = $2 AND enabled AND next_run_at <= $3
         FOR NO KEY UPDATE SKIP LOCKED`,
};
// The trigger jobs.note_schedule notes the time.
const NOTE_DUE: Statement = {
  name: 'schedule-note-due',
  reason: 'lock',
  text: `UPDATE schedules s SET next_run_at = s.next_run_at
         FROM (
           SELECT id FROM schedules WHERE tenant_id = $1 AND id = $2 AND enabled AND next_run_at > $3
           FOR NO KEY UPDATE SKIP LOCKED
         ) later
         WHERE s.tenant_id = $1 AND s.id = later.id`,
};
const DISABLE: Statement = {
  name: 'schedules-disable',
  reason: 'lock',
  text: `UPDATE schedules s SET enabled = false, next_run_at = NULL, disabled_code = $3, disabled_at = $4,
           awaited_pulls = '[]'
         FROM (
           SELECT id FROM schedules WHERE tenant_id = $1 AND created_by_id = $2 AND enabled
           ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
         ) free
         WHERE s.tenant_id = $1 AND s.id = free.id
         RETURNING s.id, s.name`,
};
// A function call of the identity schema.
const CREATOR: Statement = {
  name: 'schedule-creator',
  reason: 'function',
  text: 'SELECT * FROM identity.schedule_creator($1)',
};
