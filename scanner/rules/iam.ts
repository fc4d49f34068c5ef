import type { Rule } from '../rule.ts';
import { API_KEY_RULES } from './api-key.ts';
import { orgEssentialContacts } from './essential-contacts.ts';
import { iamAuditConfig } from './iam-audit-config.ts';
import { iamCustomRoleDangerous } from './iam-custom-role.ts';
import { IAM_DUTY_RULES } from './iam-duties.ts';
import { IAM_HIERARCHY_RULES } from './iam-hierarchy.ts';
import { IAM_MEMBER_RULES } from './iam-members.ts';
import { SERVICE_ACCOUNT_KEY_RULES } from './service-account-key.ts';
import { wifNoAttributeCondition } from './workload-identity.ts';

export const IAM_RULES: readonly Rule[] = [
  ...API_KEY_RULES,
  ...IAM_DUTY_RULES,
  ...IAM_HIERARCHY_RULES,
  ...IAM_MEMBER_RULES,
  ...SERVICE_ACCOUNT_KEY_RULES,
  iamAuditConfig,
  iamCustomRoleDangerous,
  orgEssentialContacts,
  wifNoAttributeCondition,
];
