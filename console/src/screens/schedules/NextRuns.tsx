import { Cron } from 'croner';
import styles from './SchedulesPage.module.css';

interface NextRunsProps {
  readonly cron: string;
  readonly timezone: string;
  /** The time zone of the reader. */
  readonly ownZone: string;
}

const SHOWN = 5;

/** The server accepts the same minute fields: `timingFault` in server/modules/schedules/cron.ts. */
const ONE_MINUTE = /^[0-5]?\d$/;

/** The next runs in the time zone of the schedule and in that of the reader. */
export function NextRuns({ cron, timezone, ownZone }: NextRunsProps) {
  const runs = nextRuns(cron, timezone);
  const zones = timezone === ownZone ? [timezone] : [timezone, ownZone];
  if (runs.length === 0) {
    return (
      <p className={styles.preview} role="status">
        The next runs appear here once the expression and the time zone are valid.
      </p>
    );
  }
  if (!ONE_MINUTE.test(cron.split(' ')[0] ?? '')) {
    return (
      <p className={styles.preview} role="status">
        A schedule runs at most once an hour: the minute must be one number from 0 to 59.
      </p>
    );
  }
  return (
    <div className={styles.preview}>
      <table aria-label="Next runs">
        <thead>
          <tr>
            {zones.map((zone) => (
              <th key={zone} scope="col">
                {zone === ownZone ? `Your time (${zone})` : zone}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.toISOString()}>
              {zones.map((zone) => (
                <td key={zone}>
                  <time dateTime={run.toISOString()}>{inZone(run, zone)}</time>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Empty while a person is still typing. */
function nextRuns(cron: string, timezone: string): Date[] {
  if (cron === '' || timezone === '') return [];
  try {
    return new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRuns(SHOWN);
  } catch {
    return [];
  }
}

function inZone(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
    timeZone,
  }).format(moment);
}
