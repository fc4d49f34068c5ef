import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { findAwaited, findPullInProgress, insertPullRow, queueTurn } from '../sources/index.ts';
import { findProjectId } from '../sources/queries.ts';
import { type Creator, recordAwaited, type ScheduleRow } from './queries.ts';

/** What a run waits for in one project: a pull, or nothing because none could start. */
interface Awaited {
  readonly project: string;
  readonly pullId: string | null;
  readonly problem: string | null;
}

interface Started {
  readonly awaited: Awaited;
  /** A pull that this run has inserted, and not joined. */
  readonly insertedId: string | null;
}

/** The projects that a run leaves out, and why. */
export type LeftOut = ReadonlyMap<string, string>;

/**
 * Pulls new inventories before a scan: starts the pulls at the first call for a run, and joins those in progress.
 * @returns null while a pull is in progress; otherwise the projects that have no new inventory.
 */
export async function pullFirst(
  db: TenantConnection,
  schedule: ScheduleRow,
  creator: Creator,
  now: Date,
): Promise<LeftOut | null> {
  // The server wrote it, so its shape is known.
  const awaited = schedule.awaitedPulls as readonly Awaited[];
  if (awaited.length > 0) return outcomeOf(db, awaited);
  const started: Started[] = [];
  // In the same order in every schedule: inserting a pull waits for another transaction that has inserted one.
  for (const project of [...schedule.projects].sort()) {
    const one = await startIn(db, project, schedule, creator, now);
    if (one !== null) started.push(one);
  }
  // After all rows, because queueing a job waits too; see decision 0047.
  for (const { insertedId } of started) {
    if (insertedId !== null) await queueTurn(db, { pullId: insertedId, turn: 0 });
  }
  const all = started.map((one) => one.awaited);
  if (all.every(({ pullId }) => pullId === null)) return leftOut(all);
  await recordAwaited(db, schedule.id, all);
  return null;
}

/** @returns null for a project that no longer exists, which preflight reports. */
async function startIn(
  db: TenantConnection,
  project: string,
  { createdById }: ScheduleRow,
  { email, permissions }: Creator,
  now: Date,
): Promise<Started | null> {
  const projectId = await findProjectId(db, project);
  if (projectId === null) return null;
  if (!permissions.has('projects.write')) {
    const problem = `Project ${project} was not pulled: the owner of the schedule no longer has the permission projects.write.`;
    return { awaited: { project, pullId: null, problem }, insertedId: null };
  }
  const by = { kind: 'schedule', id: createdById, label: email };
  const current = async () => (await findPullInProgress(db, projectId))?.id ?? null;
  const joined = await current();
  const insertedId = joined === null ? await insertPullRow(db, projectId, by, now) : null;
  // Another transaction may have queued one in between.
  const pullId = joined ?? insertedId ?? (await current());
  const problem =
    pullId === null ? `Project ${project} has no inventory source to pull from.` : null;
  return { awaited: { project, pullId, problem }, insertedId };
}

async function outcomeOf(
  db: TenantConnection,
  awaited: readonly Awaited[],
): Promise<LeftOut | null> {
  const pulls = await findAwaited(
    db,
    awaited.flatMap(({ pullId }) => pullId ?? []),
  );
  if (pulls.some(({ status }) => status === 'queued' || status === 'running')) return null;
  const failed = pulls.flatMap(({ project, status, problem }) =>
    status === 'failed'
      ? [{ project, problem: `The pull of project ${project} failed. ${problem ?? ''}`.trim() }]
      : [],
  );
  return leftOut([...awaited, ...failed]);
}

function leftOut(
  awaited: readonly { readonly project: string; readonly problem: string | null }[],
): LeftOut {
  return new Map(
    awaited.flatMap(({ project, problem }) => (problem === null ? [] : [[project, problem]])),
  );
}
