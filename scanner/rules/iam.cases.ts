import type { RuleCases } from '../testing/rule-cases.ts';
import { API_KEY_CASES } from './api-key.cases.ts';
import { IAM_HIERARCHY_CASES } from './iam-hierarchy.cases.ts';
import { IAM_MEMBER_CASES } from './iam-members.cases.ts';
import { IAM_POLICY_CASES } from './iam-policy.cases.ts';
import { IAM_RESOURCE_CASES } from './iam-resources.cases.ts';
import { SERVICE_ACCOUNT_KEY_CASES } from './service-account-key.cases.ts';

export const IAM_CASES: readonly RuleCases[] = [
  ...API_KEY_CASES,
  ...IAM_HIERARCHY_CASES,
  ...IAM_MEMBER_CASES,
  ...IAM_POLICY_CASES,
  ...IAM_RESOURCE_CASES,
  ...SERVICE_ACCOUNT_KEY_CASES,
];
