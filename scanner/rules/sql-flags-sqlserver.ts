import type { Rule } from '../rule.ts';
import { flagRules, isOff, isOffOrUnset, isOn } from './sql-flags.ts';

export const SQL_SQLSERVER_RULES: readonly Rule[] = flagRules('SQLSERVER', [
  {
    id: 'sql-ms-external-scripts',
    version: 2,
    title: 'SQL Server runs external scripts',
    severity: 'medium',
    requirement: '6.3.1',
    flag: 'external scripts enabled',
    advice: 'off',
    description:
      'With "external scripts enabled" a statement can run R or Python on the server, which turns SQL injection into code execution.',
    message: 'The flag "external scripts enabled" is on.',
    admits: isOffOrUnset,
  },
  {
    id: 'sql-ms-cross-db-chaining',
    version: 2,
    title: 'SQL Server allows cross-database ownership chaining',
    severity: 'medium',
    requirement: '6.3.2',
    flag: 'cross db ownership chaining',
    advice: 'off',
    description:
      'With "cross db ownership chaining" a view or procedure of one database can read another database of the same owner without a check of the caller.',
    message: 'The flag "cross db ownership chaining" is on.',
    admits: isOffOrUnset,
  },
  {
    id: 'sql-ms-user-connections',
    title: 'SQL Server limits user connections',
    severity: 'medium',
    requirement: '6.3.3',
    flag: 'user connections',
    advice: '0',
    description:
      'With "user connections" above 0, the default, the server refuses further connections: a leaking application, or an attacker with idle sessions, locks out everyone else.',
    message: 'The flag "user connections" sets a limit.',
    admits: (value) => value === null || Number(value) === 0,
  },
  {
    id: 'sql-ms-user-options',
    title: 'SQL Server sets user options for all sessions',
    severity: 'medium',
    requirement: '6.3.4',
    flag: 'user options',
    advice: null,
    description:
      'The flag "user options" changes the SET options of every session, such as NULL comparison and error handling, for applications that expect the defaults. It should not be set.',
    message: 'The flag "user options" is set.',
    admits: (value) => value === null,
  },
  {
    id: 'sql-ms-remote-access',
    version: 2,
    title: 'SQL Server allows remote access',
    severity: 'medium',
    requirement: '6.3.5',
    flag: 'remote access',
    advice: 'off',
    description:
      'With "remote access", which is on by default, other servers can run stored procedures on this one and can be used to overload it.',
    message: 'The flag "remote access" is not off.',
    admits: isOff,
  },
  {
    id: 'sql-ms-trace-3625',
    version: 2,
    title: 'SQL Server shows error details to all users',
    severity: 'medium',
    requirement: '6.3.6',
    flag: '3625',
    advice: 'on',
    description:
      'Trace flag 3625 masks names and values in error messages for users who are not administrators. Without it an attacker learns the schema from errors.',
    message: 'The trace flag 3625 is not on.',
    admits: isOn,
  },
  {
    id: 'sql-ms-contained-auth',
    version: 2,
    title: 'SQL Server allows contained database authentication',
    severity: 'medium',
    requirement: '6.3.7',
    flag: 'contained database authentication',
    advice: 'off',
    description:
      'With "contained database authentication" the owner of a database can create users with passwords that no server-wide login policy or audit covers.',
    message: 'The flag "contained database authentication" is on.',
    admits: isOffOrUnset,
  },
]);
