import { type Origin, writeAudit } from '../../platform/audit-writer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { blockersOf, runPreflight } from '../scans/index.ts';
import { insertScan } from '../scans/queries.ts';
import { tellAdmins, tenantNameOf } from '../tenants/index.ts';
import { queueEvent } from '../webhooks/index.ts';
import { nextRunAfter } from './cron.ts';
import { schedulesDisabled } from './mails.ts';
import { type LeftOut, pullFirst } from './pull-first.ts';
import {
  type Creator,
  claimSchedule,
  disableSchedulesOf,
  findCreator,
  recordRun,
  type ScheduleRow,
} from './queries.ts';
import type { DisabledCode } from './view.ts';

const NONE: LeftOut = new Map();

export interface LaunchServices {
  /** Connections of the serving role: a scheduled launch has the rights of a request, and no more. */
  readonly tenants: TenantDatabase;
  readonly mail: MailQueue;
  readonly clock: Clock;
}

/**
 * Runs a schedule if it is due. The claim of its row, the scan with its jobs, the audit rows and the time of the next
 * run are one transaction, so a due run is launched once even if the process is killed. Missed runs result in one
 * scan.
 * @returns `waiting` while pulls are in progress that the scan needs: call it again later.
 */
export async function runSchedule(
  { tenants, mail, clock }: LaunchServices,
  { tenantId, scheduleId }: { readonly tenantId: string; readonly scheduleId: string },
): Promise<'done' | 'waiting'> {
  return tenants.write(tenantId, async (db) => {
    const at = clock.now();
    const schedule = await claimSchedule(db, scheduleId, at);
    if (schedule === null) return 'done';
    const origin = { ip: '', correlationId: newId(), at };
    const creator = await findCreator(db, schedule.createdById);
    const refusal = refusalOf(creator);
    if (creator === null || refusal !== null) {
      await disable(db, mail, schedule.createdById, refusal ?? 'CREATOR_REMOVED', origin);
      return 'done';
    }
    const leftOut = schedule.pullFirst ? await pullFirst(db, schedule, creator, at) : NONE;
    if (leftOut === null) return 'waiting';
    const { scanId, problem } = await launch(db, schedule, creator, leftOut, origin);
    // A clock that went back must not make the same moment due again.
    const since = new Date(Math.max(at.getTime(), schedule.nextRunAt?.getTime() ?? 0));
    await recordRun(db, schedule.id, {
      at,
      scanId,
      problem,
      nextRunAt: nextRunAfter(schedule, since),
    });
    return 'done';
  });
}

/** Why a schedule must no longer act for a person; null when it may. */
function refusalOf(creator: Creator | null): DisabledCode | null {
  if (creator === null) return 'CREATOR_REMOVED';
  if (!creator.isActive) return 'CREATOR_DISABLED';
  return creator.permissions.has('scans.launch') ? null : 'CREATOR_NOT_PERMITTED';
}

/** Disables all schedules of the person at once, so that administrators get one mail. */
async function disable(
  db: TenantConnection,
  mail: MailQueue,
  creatorId: string,
  code: DisabledCode,
  origin: Origin,
): Promise<void> {
  const disabled = await disableSchedulesOf(db, creatorId, { code, at: origin.at });
  for (const { id: subject, name } of disabled) {
    await writeAudit(db, origin, {
      action: 'schedule.disabled',
      outcome: 'success',
      actor: { kind: 'schedule', id: null, label: 'schedules' },
      subject,
      detail: { reason: code },
    });
    const event = { scheduleId: subject, name, reason: code };
    await queueEvent(db, 'schedule.disabled', origin.at, event);
  }
  const tenantName = await tenantNameOf(db);
  const data = { tenantName, count: disabled.length, reason: code, at: origin.at };
  await tellAdmins(db, mail, schedulesDisabled(data));
}

interface Outcome {
  /** Null: no scan was launched. */
  readonly scanId: string | null;
  readonly problem: string | null;
}

/** Launches the scan of those projects that can be scanned. */
async function launch(
  db: TenantConnection,
  schedule: ScheduleRow,
  creator: Creator,
  leftOut: LeftOut,
  origin: Origin,
): Promise<Outcome> {
  const caller = { permissions: creator.permissions, launchesLeft: null };
  const report = await runPreflight(db, schedule, caller, origin.at, { expiring: 'skipped' });
  // Without a new inventory, the old one does not matter.
  const blockers = blockersOf(report).filter(({ project }) => !leftOut.has(project ?? ''));
  const problem = problemOf(leftOut, blockers);
  const blocked = new Set([...leftOut.keys(), ...blockers.map(({ project }) => project)]);
  const projects = report.projects.flatMap(({ id, name }) =>
    id === null || blocked.has(name) ? [] : [{ id, name }],
  );
  const { ruleset } = report;
  if (ruleset === null || projects.length === 0) return { scanId: null, problem };
  const scanId = newId();
  const actor = { kind: 'schedule', id: schedule.createdById, label: creator.email };
  await insertScan(db, {
    ...{ id: scanId, ruleset, projects, createdBy: actor },
    createdAt: origin.at,
    scheduleId: schedule.id,
  });
  await writeAudit(db, origin, {
    action: 'scan.launched',
    outcome: 'success',
    actor,
    subject: scanId,
    detail: { schedule: schedule.id, profile: ruleset.profile, projects: projects.length },
  });
  return { scanId, problem };
}

/** Problems shown of one run; a profile that is unknown is one for each of a hundred projects. */
const SHOWN_PROBLEMS = 3;

function problemOf(leftOut: LeftOut, blockers: ReturnType<typeof blockersOf>): string | null {
  const texts = [
    ...new Set([...leftOut.values(), ...blockers.map((b) => `${b.message} ${b.remediation}`)]),
  ];
  if (texts.length === 0) return null;
  const more = texts.length - SHOWN_PROBLEMS;
  const shown = texts.slice(0, SHOWN_PROBLEMS).join(' ');
  return more > 0 ? `${shown} And ${more} more.` : shown;
}
