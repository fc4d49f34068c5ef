import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { type PublicGrant, publicGrantsOf } from '../facts/public-grants.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { policyRule, resourceRule } from '../rule-kinds.ts';

const iamPublicProject = policyRule(
  {
    id: 'iam-public-project',
    title: 'Project, folder or organisation is open to everyone',
    severity: 'critical',
    category: 'iam',
    assetTypes: [
      'cloudresourcemanager.googleapis.com/Project',
      'cloudresourcemanager.googleapis.com/Folder',
      'cloudresourcemanager.googleapis.com/Organization',
    ],
    description:
      'A role that is given to allUsers or allAuthenticatedUsers here is inherited by all that lies below: anyone in the world holds it.',
    remediation:
      'Remove the binding: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE, and likewise for folders and organisations.',
    compliance: NO_REQUIREMENT,
  },
  (policy) => {
    const [first, ...more] = publicGrantsOf(policy).map(violationOf);
    return first === undefined ? PASS : fail(first, ...more);
  },
);

function violationOf({ role, member, path }: PublicGrant): Violation {
  return {
    subject: `${role} ${member}`,
    message: `${member} holds ${role} here and on everything below.`,
    evidence: [cite(path, member)],
  };
}

const saKeyUserManaged = resourceRule(
  {
    id: 'sa-key-user-managed',
    title: 'Service account has a key of its own',
    severity: 'high',
    category: 'iam',
    assetTypes: ['iam.googleapis.com/ServiceAccountKey'],
    description:
      'A key that users manage is a password in a file: it is copied, committed and forgotten. Attached service accounts, impersonation and workload identity federation do without. Keys that Google manages never leave it.',
    remediation:
      'Change what uses the key to one of those, then delete it: gcloud iam service-accounts keys delete KEY --iam-account=ACCOUNT.',
    compliance: cis({ v4: '1.4', v5: '1.5' }),
  },
  (key) => {
    if (isEnum(key.keyType, 'SYSTEM_MANAGED')) return NOT_APPLICABLE;
    if (!isEnum(key.keyType, 'USER_MANAGED')) return PASS;
    return fail({
      message: 'This service account key is managed by users.',
      evidence: [cite('keyType', key.keyType)],
    });
  },
);

export const IAM_RULES: readonly Rule[] = [iamPublicProject, saKeyUserManaged];
