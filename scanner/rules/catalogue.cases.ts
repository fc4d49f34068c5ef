import type { RuleCases } from '../testing/rule-cases.ts';
import { BACKEND_SERVICE_CASES } from './backend-service.cases.ts';
import { BIGQUERY_CASES } from './bigquery.cases.ts';
import { COMPUTE_CASES } from './compute.cases.ts';
import { DNS_CASES } from './dns.cases.ts';
import { FIREWALL_CASES } from './firewall.cases.ts';
import { FUNCTION_CASES } from './functions.cases.ts';
import { GKE_CASES } from './gke.cases.ts';
import { IAM_CASES } from './iam.cases.ts';
import { KMS_CASES } from './kms.cases.ts';
import { LOAD_BALANCER_CASES } from './load-balancer.cases.ts';
import { LOG_ALERT_CASES } from './log-alert.cases.ts';
import { LOG_SINK_CASES } from './log-sink.cases.ts';
import { LOGGING_CASES } from './logging.cases.ts';
import { NETWORK_CASES } from './network.cases.ts';
import { OS_LOGIN_CASES } from './os-login.cases.ts';
import { PUBLIC_POLICY_CASES } from './public-policy.cases.ts';
import { RUN_CASES } from './run.cases.ts';
import { SQL_CASES } from './sql.cases.ts';
import { SQL_FLAG_CASES } from './sql-flags.cases.ts';
import { STORAGE_CASES } from './storage.cases.ts';
import { VM_ACCOUNT_CASES } from './vm-account.cases.ts';
import { VM_HARDWARE_CASES } from './vm-hardware.cases.ts';
import { VM_METADATA_CASES } from './vm-metadata.cases.ts';

/** The cases of every rule. */
export const RULE_CASES: readonly RuleCases[] = [
  ...BIGQUERY_CASES,
  ...COMPUTE_CASES,
  ...DNS_CASES,
  ...FIREWALL_CASES,
  ...FUNCTION_CASES,
  ...GKE_CASES,
  ...IAM_CASES,
  ...KMS_CASES,
  ...NETWORK_CASES,
  ...PUBLIC_POLICY_CASES,
  ...RUN_CASES,
  ...SQL_CASES,
  ...SQL_FLAG_CASES,
  ...STORAGE_CASES,
  ...BACKEND_SERVICE_CASES,
  ...LOAD_BALANCER_CASES,
  ...LOG_ALERT_CASES,
  ...LOG_SINK_CASES,
  ...LOGGING_CASES,
  ...OS_LOGIN_CASES,
  ...VM_ACCOUNT_CASES,
  ...VM_HARDWARE_CASES,
  ...VM_METADATA_CASES,
];
