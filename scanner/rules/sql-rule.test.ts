import { describe, expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { resolveProfile } from '../profile.ts';
import { assetOf } from '../testing/asset.ts';
import { NOW } from '../testing/now.ts';
import { snapshotOf } from '../testing/snapshot.ts';
import { RULES } from './catalogue.ts';
import { SQL_INSTANCE } from './sql-rule.ts';

const full = resolveProfile('full');
if (full === undefined) throw new Error('There is no profile named full.');
const evaluator = new Evaluator(full, { now: NOW, snapshot: snapshotOf([]) });

describe('a source representation instance of Cloud SQL', () => {
  it.each(['MYSQL_8_0', 'POSTGRES_16', 'SQLSERVER_2022_STANDARD'])(
    'no rule applies to a server outside of Cloud SQL that a record of %s represents',
    (databaseVersion) => {
      const external = assetOf({
        type: 'sqladmin.googleapis.com/Instance',
        data: {
          name: 'source',
          backendType: 'EXTERNAL',
          databaseVersion,
          instanceType: 'ON_PREMISES_INSTANCE',
          onPremisesConfiguration: { hostPort: '198.51.100.7:3306' },
          region: 'europe-west3',
        },
      });
      const rules = RULES.filter(({ assetTypes }) => assetTypes.includes(SQL_INSTANCE[0] ?? ''));
      expect(rules.length).toBeGreaterThan(20);
      expect(
        evaluator.evaluate(external).map(({ ruleId, verdict }) => `${ruleId} ${verdict}`),
      ).toEqual(rules.map(({ id }) => `${id} na`));
    },
  );
});
