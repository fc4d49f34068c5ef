import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { auditLogsOf } from '../facts/audit-config.ts';
import { fail, PASS } from '../outcome.ts';
import { policyRule } from '../rule-kinds.ts';

const TYPES = ['ADMIN_READ', 'DATA_READ', 'DATA_WRITE'] as const;

export const iamAuditConfig = policyRule(
  {
    id: 'iam-audit-config',
    title: 'Not all access to data is logged',
    severity: 'medium',
    category: 'iam',
    assetTypes: [
      'cloudresourcemanager.googleapis.com/Project',
      'cloudresourcemanager.googleapis.com/Organization',
    ],
    description:
      'Audit logs tell who read or wrote data only where the policy asks for them. It should do so for all services, for all three kinds of access and for everyone, so that an intruder cannot choose the way that leaves no trace. What a service is asked for by name, and what is inherited from above, does not count here.',
    remediation:
      'Write auditConfigs for the service allServices with ADMIN_READ, DATA_READ and DATA_WRITE and without exemptedMembers into the policy: gcloud projects get-iam-policy PROJECT > policy.yaml; gcloud projects set-iam-policy PROJECT policy.yaml.',
    compliance: cis({ v4: '2.1', v5: '2.1' }),
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
