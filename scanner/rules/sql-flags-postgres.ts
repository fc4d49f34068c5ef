import type { Rule } from '../rule.ts';
import { flagRules, isOn } from './sql-flags.ts';

/** The logging flags of PostgreSQL, by subject. */
const STATEMENTS: ReadonlySet<string> = new Set(['ddl', 'mod', 'all']);

/** Values of log_error_verbosity that omit the details of messages. */
const ERROR_VERBOSITIES: ReadonlySet<string> = new Set(['default', 'terse']);

/** Messages by their severity, from WARNING upwards. */
const AT_LEAST_WARNING: ReadonlySet<string> = new Set([
  'warning',
  'error',
  'log',
  'fatal',
  'panic',
]);

/**
 * The severities at which failing statements are logged, from ERROR upwards. PANIC is excluded: PostgreSQL documents it
 * as the way to disable this logging.
 */
const LOGS_ERROR_STATEMENTS: ReadonlySet<string> = new Set(['error', 'log', 'fatal']);

/** The expansion of `log_connections = on` since PostgreSQL 18, where the flag is a list of these, or `all`. */
const CONNECTION_ASPECTS: readonly string[] = ['receipt', 'authentication', 'authorization'];

function logsConnections(value: string | null): boolean {
  if (value === null) return false;
  if (isOnInPostgres(value)) return true;
  const aspects = value
    .toLowerCase()
    .split(',')
    .map((aspect) => aspect.trim());
  return aspects.includes('all') || CONNECTION_ASPECTS.every((aspect) => aspects.includes(aspect));
}

/** PostgreSQL also accepts `yes`, and every unambiguous prefix of these words. */
function isOnInPostgres(value: string | null): boolean {
  return isOn(value) || (value !== null && /^(?:t|tr|tru|y|ye|yes)$/i.test(value));
}

export const SQL_POSTGRES_RULES: readonly Rule[] = flagRules('POSTGRES', [
  {
    id: 'sql-pg-log-error-verbosity',
    title: 'PostgreSQL logs verbose errors',
    severity: 'low',
    requirement: '6.2.1',
    flag: 'log_error_verbosity',
    advice: 'default',
    description:
      "With log_error_verbosity at verbose each error includes the location in the server's source code, which hides relevant information and tells readers of the log more than they need. Use the default.",
    message: 'The flag log_error_verbosity is verbose.',
    admits: (value) => value === null || ERROR_VERBOSITIES.has(value.toLowerCase()),
  },
  {
    id: 'sql-pg-log-connections',
    version: 2,
    title: 'PostgreSQL does not log connections',
    severity: 'low',
    requirement: '6.2.2',
    flag: 'log_connections',
    advice: 'on',
    description:
      'Without log_connections the log does not show connection attempts, such as guessed passwords and unusual addresses. It is off by default.',
    message: 'The flag log_connections is not on.',
    admits: logsConnections,
  },
  {
    id: 'sql-pg-log-disconnections',
    version: 2,
    title: 'PostgreSQL does not log disconnections',
    severity: 'low',
    requirement: '6.2.3',
    flag: 'log_disconnections',
    advice: 'on',
    description:
      'Without log_disconnections the log does not show how long a session lasted, which matters after an incident. It is off by default.',
    message: 'The flag log_disconnections is not on.',
    admits: isOnInPostgres,
  },
  {
    id: 'sql-pg-log-statement',
    title: 'PostgreSQL does not log schema changes',
    severity: 'medium',
    requirement: '6.2.4',
    flag: 'log_statement',
    advice: 'ddl',
    description:
      'With log_statement at ddl, statements that create, change or drop objects are logged; mod and all log more. The default, none, leaves no trace of a dropped table.',
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
      'The severity from which messages are logged should be warning, the default, or above: notices and debug output hide relevant messages and can contain data.',
    message: 'The flag log_min_messages is set below warning.',
    admits: (value) => value === null || AT_LEAST_WARNING.has(value.toLowerCase()),
  },
  {
    id: 'sql-pg-log-min-error-statement',
    version: 2,
    title: 'PostgreSQL logs no failing statements, or too many statements',
    severity: 'low',
    requirement: '6.2.6',
    flag: 'log_min_error_statement',
    advice: 'error',
    description:
      'The severity from which the causing statement is logged should be error, the default, log or fatal. Below it, harmless statements and their values fill the log. With panic no failing statement is logged.',
    message: 'The flag log_min_error_statement is neither error nor log nor fatal.',
    admits: (value) => value === null || LOGS_ERROR_STATEMENTS.has(value.toLowerCase()),
  },
  {
    id: 'sql-pg-log-min-duration-statement',
    title: 'PostgreSQL logs the text of slow statements',
    severity: 'low',
    requirement: '6.2.7',
    flag: 'log_min_duration_statement',
    advice: '-1',
    description:
      'With log_min_duration_statement at any value but -1, the default, slow statements are logged with their values, which can include personal data and passwords.',
    message: 'The flag log_min_duration_statement is not -1.',
    admits: (value) => value === null || Number(value) === -1,
  },
  {
    id: 'sql-pg-pgaudit',
    version: 2,
    title: 'PostgreSQL has no audit log',
    severity: 'medium',
    requirement: '6.2.8',
    flag: 'cloudsql.enable_pgaudit',
    advice: 'on',
    description:
      'The pgAudit extension logs who read and changed what, as auditors require. It can be created in a database only if cloudsql.enable_pgaudit is on.',
    message: 'The flag cloudsql.enable_pgaudit is not on.',
    admits: isOnInPostgres,
  },
]);
