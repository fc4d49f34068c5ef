import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { auditLogsOf } from '../facts/audit-config.ts';
import type { Repair } from '../fixes/repair.ts';
import { isObject, items } from '../json.ts';
import { fail, PASS } from '../outcome.ts';
import { policyRule } from '../rule-kinds.ts';

const TYPES = ['ADMIN_READ', 'DATA_READ', 'DATA_WRITE'] as const;

export const iamAuditConfig = policyRule(
  {
    id: 'iam-audit-config',
    title: 'Data access is not fully logged',
    severity: 'medium',
    category: 'iam',
    assetTypes: [
      'cloudresourcemanager.googleapis.com/Project',
      'cloudresourcemanager.googleapis.com/Organization',
    ],
    description:
      'Audit logs record reads and writes of data only if the policy enables them. It should do so for all services, all three kinds of access and all users, so that an intruder cannot choose an unlogged path. Settings for single services and inherited settings do not count here.',
    remediation:
      'Write the policy to a file: `gcloud projects get-iam-policy PROJECT > policy.yaml`. Add auditConfigs for the service allServices with ADMIN_READ, DATA_READ and DATA_WRITE and without exemptedMembers, and load the file: `gcloud projects set-iam-policy PROJECT policy.yaml`.',
    compliance: cis({ v4: '2.1', v5: '2.1' }),
    fix: logEverything,
  },
  (policy) => {
    const logs = auditLogsOf(policy).filter(({ service }) => service === 'allServices');
    const missing = TYPES.filter((type) => !logs.some((log) => log.type === type));
    const exempted = [...new Set(logs.flatMap(({ exemptedMembers }) => exemptedMembers))];
    if (missing.length === 0 && exempted.length === 0) return PASS;
    const faults = [
      ...(missing.length === 0 ? [] : [`${missing.join(' and ')} is not logged for all services`]),
      ...(exempted.length === 0 ? [] : [`exempt: ${exempted.join(', ')}`]),
    ];
    return fail({
      message: `${faults.join('; ')}.`,
      evidence: [
        cite(
          'iam_policy.auditConfigs[].auditLogConfigs[].logType',
          TYPES.filter((type) => !missing.includes(type)),
        ),
        cite('iam_policy.auditConfigs[].auditLogConfigs[].exemptedMembers', exempted),
      ],
    });
  },
);

/** Replaces the entries for all services, and keeps those for single ones. */
function logEverything(repair: Repair): void {
  const spelling =
    items(repair.policy, 'audit_configs').length > 0 ? 'audit_configs' : 'auditConfigs';
  const isExempting = auditLogsOf(repair.policy).some(
    ({ service, exemptedMembers }) => service === 'allServices' && exemptedMembers.length > 0,
  );
  const kept = items(repair.policy, spelling).filter(
    (config) => !isObject(config) || config.service !== 'allServices',
  );
  const [logs, type] =
    spelling === 'auditConfigs'
      ? ['auditLogConfigs', 'logType']
      : ['audit_log_configs', 'log_type'];
  const all = { service: 'allServices', [logs]: TYPES.map((name) => ({ [type]: name })) };
  repair.setInPolicy(spelling, [...kept, all]);
  const isProject = repair.asset.type.endsWith('/Project');
  const group = isProject ? 'projects' : 'organizations';
  repair.gcloud(`${group} get-iam-policy {name} --format=json`, {}, ' > policy.json');
  repair.fixedCommand(WITH_ALL_LOGS);
  repair.gcloud(`${group} set-iam-policy {name} complete.json`);
  const resource = `google_${isProject ? 'project' : 'organization'}_iam_audit_config`;
  const match = { service: 'allServices' };
  for (const kind of TYPES) repair.terraform(resource, 'audit_log_config.log_type', kind, match);
  if (isExempting) repair.terraform(resource, 'audit_log_config.exempted_members', null, match);
  repair.caution('Logs of data access are billed by their volume, which can be large.');
}

const WITH_ALL_LOGS = `jq '.auditConfigs = [.auditConfigs[]? | select(.service != "allServices")] + [${JSON.stringify(
  { service: 'allServices', auditLogConfigs: TYPES.map((logType) => ({ logType })) },
)}]' policy.json > complete.json`;
