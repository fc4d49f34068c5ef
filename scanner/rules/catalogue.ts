import type { Rule } from '../rule.ts';
import { BIGQUERY_RULES } from './bigquery.ts';
import { COMPUTE_RULES } from './compute.ts';
import { DNS_RULES } from './dns.ts';
import { FIREWALL_RULES } from './firewall.ts';
import { GKE_RULES } from './gke.ts';
import { IAM_RULES } from './iam.ts';
import { KMS_RULES } from './kms.ts';
import { NETWORK_RULES } from './network.ts';
import { SQL_RULES } from './sql.ts';
import { SQL_MYSQL_RULES } from './sql-flags-mysql.ts';
import { SQL_POSTGRES_RULES } from './sql-flags-postgres.ts';
import { SQL_SQLSERVER_RULES } from './sql-flags-sqlserver.ts';
import { STORAGE_RULES } from './storage.ts';

/** Every built-in rule, in the order of their ids. */
export const RULES: readonly Rule[] = [
  ...BIGQUERY_RULES,
  ...COMPUTE_RULES,
  ...DNS_RULES,
  ...FIREWALL_RULES,
  ...GKE_RULES,
  ...IAM_RULES,
  ...KMS_RULES,
  ...NETWORK_RULES,
  ...SQL_MYSQL_RULES,
  ...SQL_POSTGRES_RULES,
  ...SQL_RULES,
  ...SQL_SQLSERVER_RULES,
  ...STORAGE_RULES,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

export function ruleById(id: string): Rule | undefined {
  return BY_ID.get(id);
}
