import type pg from 'pg';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import { type LaunchServices, runSchedule } from './launch.ts';

export interface SchedulePollServices extends LaunchServices {
  /** Connections of the worker's role, which finds what is due in all tenants. */
  readonly pool: pg.Pool;
  readonly log: Logger;
}

const POLL_EVERY_MS = 2_000;
/** Schedules run one after the other; between two lists of this length others than the first tenants get their turn. */
const BATCH = 20;
const RETRY_AFTER_MS = 60_000;
/** How often a run looks whether its pulls have ended. */
const LOOK_AGAIN_MS = 5_000;

interface Due {
  tenant_id: string;
  schedule_id: string;
}

/** Looks for due schedules until it is stopped. Any number of workers may do so at the same time. */
export class SchedulePoll {
  readonly #services: SchedulePollServices;
  #timer: NodeJS.Timeout | null = null;
  #current: Promise<void> | null = null;
  #stopping = false;

  constructor(services: SchedulePollServices) {
    this.#services = services;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#current ??= this.#poll().finally(() => {
        this.#current = null;
      });
    }, POLL_EVERY_MS);
  }

  /** Finishes the launch in progress. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#current;
  }

  async #poll(): Promise<void> {
    try {
      for (let found = BATCH; found === BATCH && !this.#stopping; ) {
        found = await this.#runDue();
      }
    } catch (err) {
      this.#services.log.warn({ err }, 'Failed to look for due schedules; trying again');
    }
  }

  /** @returns how many were due. */
  async #runDue(): Promise<number> {
    const { pool, clock, log } = this.#services;
    const { rows } = await pool.query<Due>(
      'SELECT tenant_id, schedule_id FROM jobs.due_schedules($1, $2)',
      [clock.now(), BATCH],
    );
    for (const { tenant_id: tenantId, schedule_id: scheduleId } of rows) {
      if (this.#stopping) break;
      try {
        const outcome = await runSchedule(this.#services, { tenantId, scheduleId });
        if (outcome === 'waiting') await this.#postpone(tenantId, scheduleId, LOOK_AGAIN_MS);
      } catch (err) {
        if (isDatabaseUnavailable(err)) throw err;
        log.error({ err, tenant: tenantId, schedule: scheduleId }, 'Failed to run a schedule');
        await this.#postpone(tenantId, scheduleId, RETRY_AFTER_MS);
      }
    }
    return rows.length;
  }

  async #postpone(tenantId: string, scheduleId: string, ms: number): Promise<void> {
    const { pool, clock } = this.#services;
    const until = new Date(clock.now().getTime() + ms);
    await pool.query('SELECT jobs.postpone_schedule($1, $2, $3)', [tenantId, scheduleId, until]);
  }
}
