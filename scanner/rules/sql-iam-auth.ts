import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { databaseFlag, sqlEngine } from '../facts/sql-instance.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import { isOn, setFlag } from './sql-flags.ts';
import { sqlRule } from './sql-rule.ts';

/*
 * Fields: sqladmin v1, discovery revision 20261006.
 */

/** The same setting, named as in each engine's flags; SQL Server has none. */
const FLAGS = {
  MYSQL: 'cloudsql_iam_authentication',
  POSTGRES: 'cloudsql.iam_authentication',
} as const;

export const sqlIamAuth = sqlRule(
  {
    id: 'sql-iam-auth',
    title: 'Database does not use IAM authentication',
    severity: 'low',
    category: 'database',
    description:
      'With IAM authentication, people and service accounts sign in to the database with short-lived tokens instead of shared passwords. The flag is cloudsql.iam_authentication for PostgreSQL and cloudsql_iam_authentication for MySQL; SQL Server has none.',
    remediation:
      'Set the flag. The command replaces all flags, so write the flags to keep in place of OTHERS. For PostgreSQL: `gcloud sql instances patch INSTANCE --database-flags=cloudsql.iam_authentication=on,OTHERS`; for MySQL: `gcloud sql instances patch INSTANCE --database-flags=cloudsql_iam_authentication=on,OTHERS`.',
    compliance: cis({ v4: null, v5: '6.6' }),
    fix: (repair) => {
      const engine = sqlEngine(repair.data) === 'MYSQL' ? 'MYSQL' : 'POSTGRES';
      setFlag(repair, FLAGS[engine], 'on');
    },
  },
  (instance) => {
    const engine = sqlEngine(instance);
    if (engine === null) return unknown('RESOURCE');
    if (engine !== 'MYSQL' && engine !== 'POSTGRES') return NOT_APPLICABLE;
    const value = databaseFlag(instance, FLAGS[engine]);
    if (isOn(value)) return PASS;
    return fail({
      subject: FLAGS[engine],
      message: `The flag ${FLAGS[engine]} is not on.`,
      evidence: [cite('settings.databaseFlags[].value', value)],
    });
  },
);
