import { type DueItem, DuePoll, type DuePollServices } from '../../platform/due-poll.ts';
import { type LaunchServices, runSchedule } from './launch.ts';

interface Due extends DueItem {
  schedule_id: string;
}

/** Runs due schedules until it is stopped. Any number of workers may do so at the same time. */
export function schedulePoll(services: LaunchServices & DuePollServices): DuePoll<Due> {
  const { pool, clock } = services;
  return new DuePoll<Due>(services, {
    what: 'schedule',
    async due(most) {
      const { rows } = await pool.query<Due>(
        'SELECT tenant_id, schedule_id FROM jobs.due_schedules($1, $2)',
        [clock.now(), most],
      );
      return rows;
    },
    work: ({ tenant_id: tenantId, schedule_id: scheduleId }) =>
      runSchedule(services, { tenantId, scheduleId }),
    async postpone({ tenant_id: tenantId, schedule_id: scheduleId }, until) {
      await pool.query('SELECT jobs.postpone_schedule($1, $2, $3)', [tenantId, scheduleId, until]);
    },
  });
}
