import type { Rule } from '../rule.ts';
import { ARTIFACT_REGISTRY_RULES } from './artifact-registry.ts';
import { BACKEND_SERVICE_RULES } from './backend-service.ts';
import { BIGQUERY_RULES } from './bigquery.ts';
import { COMPUTE_RULES } from './compute.ts';
import { DNS_RULES } from './dns.ts';
import { FIREWALL_RULES } from './firewall.ts';
import { FUNCTION_RULES } from './functions.ts';
import { GKE_RULES } from './gke.ts';
import { IAM_RULES } from './iam.ts';
import { IMAGE_RULES } from './image.ts';
import { KMS_RULES } from './kms.ts';
import { LOAD_BALANCER_RULES } from './load-balancer.ts';
import { LOG_ALERT_RULES } from './log-alert.ts';
import { LOG_SINK_RULES } from './log-sink.ts';
import { LOGGING_RULES } from './logging.ts';
import { MESSAGING_RULES } from './messaging.ts';
import { NETWORK_RULES } from './network.ts';
import { OS_LOGIN_RULES } from './os-login.ts';
import { RUN_RULES } from './run.ts';
import { SQL_RULES } from './sql.ts';
import { SQL_MYSQL_RULES } from './sql-flags-mysql.ts';
import { SQL_POSTGRES_RULES } from './sql-flags-postgres.ts';
import { SQL_SQLSERVER_RULES } from './sql-flags-sqlserver.ts';
import { STORAGE_RULES } from './storage.ts';
import { VM_ACCOUNT_RULES } from './vm-account.ts';
import { VM_HARDWARE_RULES } from './vm-hardware.ts';
import { VM_METADATA_RULES } from './vm-metadata.ts';

/** Every built-in rule, in the order of their ids. */
export const RULES: readonly Rule[] = [
  ...ARTIFACT_REGISTRY_RULES,
  ...BIGQUERY_RULES,
  ...COMPUTE_RULES,
  ...DNS_RULES,
  ...FIREWALL_RULES,
  ...FUNCTION_RULES,
  ...GKE_RULES,
  ...IAM_RULES,
  ...KMS_RULES,
  ...MESSAGING_RULES,
  ...NETWORK_RULES,
  ...RUN_RULES,
  ...SQL_MYSQL_RULES,
  ...SQL_POSTGRES_RULES,
  ...SQL_RULES,
  ...SQL_SQLSERVER_RULES,
  ...STORAGE_RULES,
  ...BACKEND_SERVICE_RULES,
  ...IMAGE_RULES,
  ...LOAD_BALANCER_RULES,
  ...LOG_ALERT_RULES,
  ...LOG_SINK_RULES,
  ...LOGGING_RULES,
  ...OS_LOGIN_RULES,
  ...VM_ACCOUNT_RULES,
  ...VM_HARDWARE_RULES,
  ...VM_METADATA_RULES,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

export function ruleById(id: string): Rule | undefined {
  return BY_ID.get(id);
}
