import type { ShownSchedule } from './queries.ts';

export type DisabledCode = 'CREATOR_REMOVED' | 'CREATOR_DISABLED' | 'CREATOR_NOT_PERMITTED';

/** Why the service disables schedules, and what to do. */
const DISABLED_MESSAGES: Readonly<Record<DisabledCode, string>> = {
  CREATOR_REMOVED: 'The owner of the schedule has left the tenant.',
  CREATOR_DISABLED: 'The account of the owner of the schedule is disabled.',
  CREATOR_NOT_PERMITTED: 'The owner of the schedule no longer has the permission scans.launch.',
};

const REMEDY = 'Enable the schedule again to take it over.';

type RunStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'partial'
  | 'failed'
  | 'cancelled'
  | 'blocked'
  | 'deleted';

/** Maps a schedule to its contract type. */
export function scheduleView(row: ShownSchedule) {
  return {
    id: row.id,
    name: row.name,
    projects: [...row.projects],
    profile: row.profile,
    cron: row.cron,
    timezone: row.timezone,
    pullFirst: row.pullFirst,
    enabled: row.enabled,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastRun: lastRunOf(row),
    disabledReason: disabledReasonOf(row),
    createdBy: { id: row.createdById, label: row.creator },
    createdAt: row.createdAt.toISOString(),
  };
}

function lastRunOf({ lastRunAt, lastScanId, lastScanStatus, lastProblem }: ShownSchedule) {
  if (lastRunAt === null) return null;
  // The server wrote the status of the scan, so the cast is safe.
  const status = lastScanId === null ? 'blocked' : ((lastScanStatus ?? 'deleted') as RunStatus);
  return { at: lastRunAt.toISOString(), scanId: lastScanId, status, problem: lastProblem };
}

function disabledReasonOf({ disabledCode, disabledAt }: ShownSchedule) {
  if (disabledCode === null || disabledAt === null) return null;
  const code = disabledCode as DisabledCode;
  return { code, message: `${DISABLED_MESSAGES[code]} ${REMEDY}`, at: disabledAt.toISOString() };
}
