import type { Rule } from '../rule.ts';
import { flagRules, isNotOn, isOff, isOn } from './sql-flags.ts';

export const SQL_SQLSERVER_RULES: readonly Rule[] = flagRules('SQLSERVER', [
  {
    id: 'sql-ms-external-scripts',
    title: 'SQL Server runs scripts of other languages',
    severity: 'medium',
    requirement: '6.3.1',
    flag: 'external scripts enabled',
    advice: 'off',
    description:
      'With "external scripts enabled" a statement can run R or Python on the server, which turns an injected statement into code of the attacker.',
    message: 'The flag "external scripts enabled" is on.',
    admits: isNotOn,
  },
  {
    id: 'sql-ms-cross-db-chaining',
    title: 'SQL Server lets rights reach across databases',
    severity: 'medium',
    requirement: '6.3.2',
    flag: 'cross db ownership chaining',
    advice: 'off',
    description:
      'With "cross db ownership chaining" a view or procedure of one database reads another of the same owner without a check of the caller: whoever may create objects in one gets at all of them.',
    message: 'The flag "cross db ownership chaining" is on.',
    admits: isNotOn,
  },
  {
    id: 'sql-ms-user-connections',
    title: 'SQL Server limits how many may connect',
    severity: 'medium',
    requirement: '6.3.3',
    flag: 'user connections',
    advice: '0',
    description:
      'With "user connections" above 0, its default, the server refuses everyone beyond that number: a leaking application, or whoever opens idle sessions, locks out all others.',
    message: 'The flag "user connections" sets a limit.',
    admits: (value) => value === null || Number(value) === 0,
  },
  {
    id: 'sql-ms-user-options',
    title: 'SQL Server overrides the defaults of all sessions',
    severity: 'medium',
    requirement: '6.3.4',
    flag: 'user options',
    advice: null,
    description:
      'The flag "user options" changes the SET options of every session, such as how NULLs compare and how errors end transactions, under applications that were written for the defaults. It should not be set at all.',
    message: 'The flag "user options" is set.',
    admits: (value) => value === null,
  },
  {
    id: 'sql-ms-remote-access',
    title: 'SQL Server runs procedures for other servers',
    severity: 'medium',
    requirement: '6.3.5',
    flag: 'remote access',
    advice: 'off',
    description:
      'With "remote access", which is on unless it is set to off, other servers can have stored procedures run here, and can be made to wear this one out.',
    message: 'The flag "remote access" is not off.',
    admits: isOff,
  },
  {
    id: 'sql-ms-trace-3625',
    title: 'SQL Server shows details of its errors to everyone',
    severity: 'medium',
    requirement: '6.3.6',
    flag: '3625',
    advice: 'on',
    description:
      'Trace flag 3625 puts asterisks for names and values in error messages to users who are no administrators. Without it an attacker learns the schema from errors.',
    message: 'The trace flag 3625 is not on.',
    admits: isOn,
  },
  {
    id: 'sql-ms-contained-auth',
    title: 'SQL Server lets databases keep users of their own',
    severity: 'medium',
    requirement: '6.3.7',
    flag: 'contained database authentication',
    advice: 'off',
    description:
      'With "contained database authentication" the owner of a database can create users with passwords that no login policy of the server governs and no server-wide audit lists.',
    message: 'The flag "contained database authentication" is on.',
    admits: isNotOn,
  },
]);
