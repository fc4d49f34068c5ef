import type { Rule } from '../rule.ts';
import { flagRules, isOn } from './sql-flags.ts';

/** What PostgreSQL logs, by what it is about. */
const STATEMENTS: ReadonlySet<string> = new Set(['ddl', 'mod', 'all']);

/** Messages by their severity, from WARNING and from ERROR upwards. */
const FROM_ERROR: readonly string[] = ['error', 'log', 'fatal', 'panic'];
const AT_LEAST_ERROR: ReadonlySet<string> = new Set(FROM_ERROR);
const AT_LEAST_WARNING: ReadonlySet<string> = new Set(['warning', ...FROM_ERROR]);

export const SQL_POSTGRES_RULES: readonly Rule[] = flagRules('POSTGRES', [
  {
    id: 'sql-pg-log-error-verbosity',
    title: 'PostgreSQL logs the inside of its errors',
    severity: 'low',
    requirement: '6.2.1',
    flag: 'log_error_verbosity',
    advice: 'default',
    description:
      'With log_error_verbosity at verbose each error carries the place in the source code of the server, which buries what matters and tells readers of the log more than they need. The default will do.',
    message: 'The flag log_error_verbosity is verbose.',
    admits: (value) => value?.toLowerCase() !== 'verbose',
  },
  {
    id: 'sql-pg-log-connections',
    title: 'PostgreSQL does not log connections',
    severity: 'low',
    requirement: '6.2.2',
    flag: 'log_connections',
    advice: 'on',
    description:
      'Without log_connections nothing shows who tried to connect and who got in: guessed passwords and strange addresses go unseen. It is off unless it is set.',
    message: 'The flag log_connections is not on.',
    admits: isOn,
  },
  {
    id: 'sql-pg-log-disconnections',
    title: 'PostgreSQL does not log the end of sessions',
    severity: 'low',
    requirement: '6.2.3',
    flag: 'log_disconnections',
    advice: 'on',
    description:
      'Without log_disconnections the log does not tell how long a session lasted, so that after an incident nobody knows who was connected when. It is off unless it is set.',
    message: 'The flag log_disconnections is not on.',
    admits: isOn,
  },
  {
    id: 'sql-pg-log-statement',
    title: 'PostgreSQL does not log changes of the schema',
    severity: 'medium',
    requirement: '6.2.4',
    flag: 'log_statement',
    advice: 'ddl',
    description:
      'With log_statement at ddl, statements that create, change or drop objects are logged; mod and all log more. None is the default, and leaves no trace of a dropped table.',
    message: 'The flag log_statement is not set to ddl, mod or all.',
    admits: (value) => value !== null && STATEMENTS.has(value.toLowerCase()),
  },
  {
    id: 'sql-pg-log-min-messages',
    title: 'PostgreSQL logs messages below warnings',
    severity: 'low',
    requirement: '6.2.5',
    flag: 'log_min_messages',
    advice: 'warning',
    description:
      'The severity from which messages are logged should be warning, which is the default, or above: notices and debugging output drown what needs attention, and may quote data.',
    message: 'The flag log_min_messages is set below warning.',
    admits: (value) => value === null || AT_LEAST_WARNING.has(value.toLowerCase()),
  },
  {
    id: 'sql-pg-log-min-error-statement',
    title: 'PostgreSQL logs statements that caused less than an error',
    severity: 'low',
    requirement: '6.2.6',
    flag: 'log_min_error_statement',
    advice: 'error',
    description:
      'The severity from which the causing statement is logged should be error, which is the default, or above: below it, harmless statements fill the log, with the values in them.',
    message: 'The flag log_min_error_statement is set below error.',
    admits: (value) => value === null || AT_LEAST_ERROR.has(value.toLowerCase()),
  },
  {
    id: 'sql-pg-log-min-duration-statement',
    title: 'PostgreSQL logs the text of slow statements',
    severity: 'low',
    requirement: '6.2.7',
    flag: 'log_min_duration_statement',
    advice: '-1',
    description:
      'With log_min_duration_statement at anything but -1, which is the default, statements that take long are logged with the values in them: personal data and passwords get into a log that others may read.',
    message: 'The flag log_min_duration_statement is set to something else than -1.',
    admits: (value) => value === null || Number(value) === -1,
  },
  {
    id: 'sql-pg-pgaudit',
    title: 'PostgreSQL has no audit log',
    severity: 'medium',
    requirement: '6.2.8',
    flag: 'cloudsql.enable_pgaudit',
    advice: 'on',
    description:
      'The pgAudit extension logs who read and changed what, as auditors ask for it. It can be created in a database only where cloudsql.enable_pgaudit is on.',
    message: 'The flag cloudsql.enable_pgaudit is not on.',
    admits: isOn,
  },
]);
