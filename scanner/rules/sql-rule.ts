import { isOutsideCloudSql } from '../facts/sql-instance.ts';
import { NOT_APPLICABLE } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { type RuleSpec, resourceRule } from '../rule-kinds.ts';

/*
 * Fields: sqladmin v1, discovery revision 20261006.
 */

/** Its assets are named //cloudsql.googleapis.com/…; the type keeps the older name of the API. */
export const SQL_INSTANCE = ['sqladmin.googleapis.com/Instance'];

/** A rule on database instances of Cloud SQL. It does not apply to the record of a server outside of Cloud SQL. */
export function sqlRule(
  spec: Omit<RuleSpec, 'assetTypes'>,
  evaluate: Parameters<typeof resourceRule>[1],
): Rule {
  return resourceRule({ ...spec, assetTypes: SQL_INSTANCE }, (instance, asset, context) =>
    isOutsideCloudSql(instance) ? NOT_APPLICABLE : evaluate(instance, asset, context),
  );
}
