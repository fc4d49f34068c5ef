import type { Rule } from '../rule.ts';
import { flagRules, isOff, isOn } from './sql-flags.ts';

export const SQL_MYSQL_RULES: readonly Rule[] = flagRules('MYSQL', [
  {
    id: 'sql-mysql-skip-show-database',
    version: 2,
    title: 'MySQL shows all database names to every user',
    severity: 'medium',
    requirement: '6.1.2',
    flag: 'skip_show_database',
    advice: 'on',
    description:
      'With skip_show_database on, only users with the SHOW DATABASES privilege see which databases an instance has. A compromised account then reveals nothing about other databases.',
    message: 'The flag skip_show_database is not on.',
    admits: isOn,
  },
  {
    id: 'sql-mysql-local-infile',
    version: 2,
    title: 'MySQL allows loading local files',
    severity: 'medium',
    requirement: '6.1.3',
    flag: 'local_infile',
    advice: 'off',
    description:
      'With local_infile on, LOAD DATA LOCAL sends a file from the client to the server; an injected statement or a malicious server can request arbitrary files. The flag must be set to off explicitly.',
    message: 'The flag local_infile is not off.',
    admits: isOff,
  },
]);
