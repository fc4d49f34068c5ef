import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { isOutage } from '../../platform/database/unavailable.ts';
import type { Task } from '../../platform/queue-worker.ts';
import { nextRunAfter } from './cron.ts';

export interface CorrectionServices {
  /** Connections of the worker's role, which knows all tenants. */
  readonly pool: pg.Pool;
  /** Connections of the serving role, which alone may change schedules. */
  readonly tenants: TenantDatabase;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Daily at 03:37 UTC. */
export const CORRECTION_SCHEDULE = '37 3 * * *';

const HOUR_MS = 3_600_000;
/** A run that is nearer than this is not looked at: a schedule heals itself with it. */
const NEAR_MS = 48 * HOUR_MS;
/** Clocks differ by less. A run that has just been launched is not found again. */
const SKEW_MS = HOUR_MS;

/**
 * Makes schedules run at their next time whose next run was computed by a clock that was far ahead, or by rules of a time zone
 * that have changed since. A run is never put off.
 */
export function nextRunsTask(services: CorrectionServices): Task {
  const { pool, log } = services;
  return async (_payload, { isStopping }) => {
    // The later clock counts, because a clock that is behind would find runs that were launched.
    const { rows } = await pool.query<{ id: string; now: Date }>(
      'SELECT jobs.tenants() AS id, now() AS now',
    );
    for (const { id, now } of rows) {
      if (isStopping()) return;
      const at = new Date(Math.max(now.getTime(), services.clock.now().getTime()));
      try {
        const corrected = await correctNextRuns(services.tenants, id, at);
        if (corrected > 0)
          log.warn(
            { tenant: id, corrected },
            'Corrected next runs of schedules that were too late',
          );
      } catch (err) {
        if (isOutage(err)) throw err;
        log.error({ err, tenant: id }, 'Failed to check the next runs of schedules');
      }
    }
  };
}

/** @returns how many it corrected. */
async function correctNextRuns(
  tenants: TenantDatabase,
  tenantId: string,
  at: Date,
): Promise<number> {
  const far = { enabled: true, nextRunAt: { gt: new Date(at.getTime() + NEAR_MS) } };
  const stored = await tenants.read(tenantId, ({ prisma }) =>
    prisma.schedule.findMany({
      where: { tenantId, ...far },
      select: { id: true, cron: true, timezone: true, nextRunAt: true },
    }),
  );
  const since = new Date(at.getTime() + SKEW_MS);
  let corrected = 0;
  for (const { id, nextRunAt, ...timing } of stored) {
    const next = nextRunAfter(timing, since);
    if (next === null || nextRunAt === null || next >= nextRunAt) continue;
    // Unless the schedule was changed meanwhile.
    const { count } = await tenants.write(tenantId, ({ prisma }) =>
      prisma.schedule.updateMany({
        where: { tenantId, id, enabled: true, nextRunAt, ...timing },
        data: { nextRunAt: next },
      }),
    );
    corrected += count;
  }
  return corrected;
}
