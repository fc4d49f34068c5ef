import type { Rule } from '../rule.ts';
import { flagRules, isOff, isOn } from './sql-flags.ts';

export const SQL_MYSQL_RULES: readonly Rule[] = flagRules('MYSQL', [
  {
    id: 'sql-mysql-skip-show-database',
    title: 'MySQL tells every user the names of all databases',
    severity: 'medium',
    requirement: '6.1.2',
    flag: 'skip_show_database',
    advice: 'on',
    description:
      'With skip_show_database on, only users with the SHOW DATABASES privilege learn which databases an instance holds. Whoever gets hold of any other account learns nothing of its neighbours.',
    message: 'The flag skip_show_database is not on.',
    admits: isOn,
  },
  {
    id: 'sql-mysql-local-infile',
    title: 'MySQL loads files of its clients',
    severity: 'medium',
    requirement: '6.1.3',
    flag: 'local_infile',
    advice: 'off',
    description:
      'With local_infile on, LOAD DATA LOCAL sends a file from the client to the server; an injected statement, or a server that is not yours, can ask for files that were never meant to be sent. The flag has to be set to off, whatever its default.',
    message: 'The flag local_infile is not off.',
    admits: isOff,
  },
]);
