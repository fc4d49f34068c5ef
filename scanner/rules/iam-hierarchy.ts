import { cis, NO_REQUIREMENT } from '../compliance.ts';
import {
  isDefaultAccount,
  isGoogleMadeAccount,
  isUserMadeAccount,
  serviceAccountOf,
} from '../facts/member.ts';
import { everyone } from '../facts/public-grants.ts';
import type { Rule } from '../rule.ts';
import { grantRule } from './grant-rule.ts';
import { removePublicGrants } from './public-policy.ts';

const PROJECT = 'cloudresourcemanager.googleapis.com/Project';

/** Containers, which pass their policy on to the resources in them. */
const CONTAINERS = [
  PROJECT,
  'cloudresourcemanager.googleapis.com/Folder',
  'cloudresourcemanager.googleapis.com/Organization',
];

const iamPublicProject = grantRule(
  {
    id: 'iam-public-project',
    title: 'Project, folder or organization is public',
    severity: 'critical',
    category: 'iam',
    assetTypes: CONTAINERS,
    description:
      'A role granted here to allUsers or allAuthenticatedUsers is inherited by all descendants: anyone has it.',
    remediation:
      'Remove the binding: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE`, or the equivalent command for folders and organizations.',
    compliance: NO_REQUIREMENT,
    fix: removePublicGrants,
  },
  { member: (member) => everyone(member) !== null },
  ({ role, member }) => `${member} has ${role} here and on all descendants.`,
);

const BASIC_ROLES = ['roles/owner', 'roles/editor'];

const iamPrimitiveRoles = grantRule(
  {
    id: 'iam-primitive-roles',
    title: 'Basic role is in use',
    severity: 'high',
    category: 'iam',
    assetTypes: CONTAINERS,
    description:
      'Owner and Editor predate the predefined roles: they contain thousands of permissions in every service, far more than anyone needs. Google-managed service agents are not checked.',
    remediation:
      'Grant the required predefined roles, then remove this one: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE`, or the equivalent command for folders and organizations.',
    compliance: NO_REQUIREMENT,
  },
  { role: (role) => BASIC_ROLES.includes(role), member: isSubjectToBasicRoles },
  ({ role, member }) => `${member} has the basic role ${role} here and on all descendants.`,
);

/** `principal:` and `principalSet:` are federated identities, such as the workflows of a repository. */
const OTHER_SUBJECTS = /^(?:user|group|principal|principalSet):/;

function isSubjectToBasicRoles(member: string): boolean {
  if (OTHER_SUBJECTS.test(member)) return true;
  const account = serviceAccountOf(member);
  return account !== null && !isGoogleMadeAccount(account);
}

/** The role's name follows its last slash; a version follows a dot, as in compute.instanceAdmin.v1. */
const ADMINISTRATES = /admin(\.v\d+)?$/i;

const iamSaAdminPrivileges = grantRule(
  {
    id: 'iam-sa-admin-privileges',
    title: 'Service account is an administrator',
    severity: 'high',
    category: 'iam',
    assetTypes: CONTAINERS,
    description:
      'An intruder who compromises a workload gets its roles. With Owner, Editor or administrator roles the damage is not limited to the workload.',
    remediation:
      'Find out which permissions the workload uses (`gcloud recommender insights list --project=PROJECT --location=global --insight-type=google.iam.policy.Insight`), grant only those, then remove the role: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE`.',
    compliance: cis({ v4: '1.5', v5: '1.6' }),
  },
  {
    role: (role) => BASIC_ROLES.includes(role) || ADMINISTRATES.test(role),
    member: (member) => isUserMadeAccount(serviceAccountOf(member) ?? ''),
  },
  ({ role, member }) =>
    `${member} has the administrator role ${role}, here and on all descendants.`,
);

const iamSaUserProjectLevel = grantRule(
  {
    id: 'iam-sa-user-project-level',
    title: 'Member can act as every service account of the project',
    severity: 'medium',
    category: 'iam',
    assetTypes: [PROJECT],
    description:
      'A service account user on the project can run code as any of its service accounts, including future ones, and thereby combine all their roles.',
    remediation:
      'Grant the role only on the required account: `gcloud iam service-accounts add-iam-policy-binding ACCOUNT --member=MEMBER --role=roles/iam.serviceAccountUser`. Then remove it from the project: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountUser`.',
    compliance: cis({ v4: '1.6', v5: '1.7' }),
  },
  { role: (role) => role === 'roles/iam.serviceAccountUser', member: () => true },
  ({ member }) => `${member} can run code as every service account of this project.`,
);

const iamTokenCreatorProjectLevel = grantRule(
  {
    id: 'iam-token-creator-project-level',
    title: 'Member can create tokens for every service account of the project',
    severity: 'high',
    category: 'iam',
    assetTypes: [PROJECT],
    description:
      'A token creator on the project can impersonate any of its service accounts from anywhere, without a key.',
    remediation:
      'Grant the role only on the required account: `gcloud iam service-accounts add-iam-policy-binding ACCOUNT --member=MEMBER --role=roles/iam.serviceAccountTokenCreator`. Then remove it from the project: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountTokenCreator`.',
    compliance: cis({ v4: '1.6', v5: '1.7' }),
  },
  { role: (role) => role === 'roles/iam.serviceAccountTokenCreator', member: () => true },
  ({ member }) => `${member} can create tokens for every service account of this project.`,
);

const iamDefaultSaEditor = grantRule(
  {
    id: 'iam-default-sa-editor',
    title: 'Default service account is an editor',
    severity: 'high',
    category: 'iam',
    assetTypes: [PROJECT],
    description:
      'Google used to grant the default accounts of Compute Engine and App Engine the Editor role on the project. Every instance and app without a specific account uses one of them.',
    remediation:
      'Grant the account the roles that its workloads need, or preferably give each workload its own account; then: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/editor`.',
    compliance: NO_REQUIREMENT,
  },
  {
    role: (role) => role === 'roles/editor',
    member: (member) => isDefaultAccount(serviceAccountOf(member) ?? ''),
  },
  ({ member }) => `${member} is an editor of this project.`,
);

export const IAM_HIERARCHY_RULES: readonly Rule[] = [
  iamDefaultSaEditor,
  iamPrimitiveRoles,
  iamPublicProject,
  iamSaAdminPrivileges,
  iamSaUserProjectLevel,
  iamTokenCreatorProjectLevel,
];
