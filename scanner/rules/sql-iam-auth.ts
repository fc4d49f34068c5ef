import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { databaseFlag, sqlEngine } from '../facts/sql-instance.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';
import { isOn } from './sql-flags.ts';

/** The same switch, spelled as each engine spells its flags; SQL Server has none. */
const FLAGS = {
  MYSQL: 'cloudsql_iam_authentication',
  POSTGRES: 'cloudsql.iam_authentication',
} as const;

export const sqlIamAuth = resourceRule(
  {
    id: 'sql-iam-auth',
    title: 'Database knows passwords only',
    severity: 'low',
    category: 'database',
    assetTypes: ['sqladmin.googleapis.com/Instance'],
    description:
      'With IAM authentication, people and service accounts sign in to the database with short-lived tokens of theirs instead of passwords that are shared and never changed. PostgreSQL calls the flag cloudsql.iam_authentication, MySQL cloudsql_iam_authentication; SQL Server has no such flag.',
    remediation:
      'Set the flag, and with it all others that are to stay, as the command replaces them all: gcloud sql instances patch INSTANCE --database-flags=cloudsql.iam_authentication=on,OTHERS.',
    compliance: cis({ v4: null, v5: '6.6' }),
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
