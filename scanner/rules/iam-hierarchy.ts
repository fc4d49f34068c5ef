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

const PROJECT = 'cloudresourcemanager.googleapis.com/Project';

/** What holds other resources, and passes its policy on to them. */
const CONTAINERS = [
  PROJECT,
  'cloudresourcemanager.googleapis.com/Folder',
  'cloudresourcemanager.googleapis.com/Organization',
];

const iamPublicProject = grantRule(
  {
    id: 'iam-public-project',
    title: 'Project, folder or organisation is open to everyone',
    severity: 'critical',
    category: 'iam',
    assetTypes: CONTAINERS,
    description:
      'A role that is given to allUsers or allAuthenticatedUsers here is inherited by all that lies below: anyone in the world holds it.',
    remediation:
      'Remove the binding: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE, and likewise for folders and organisations.',
    compliance: NO_REQUIREMENT,
  },
  { member: (member) => everyone(member) !== null },
  ({ role, member }) => `${member} holds ${role} here and on everything below.`,
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
      "Owner and editor are from before there were others: thousands of permissions in every service, present and future, of which nobody needs but a few. The accounts that Google makes for its own services are none of this rule's business.",
    remediation:
      'Give the predefined roles that the work takes, then remove this one: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE, and likewise for folders and organisations.',
    compliance: NO_REQUIREMENT,
  },
  { role: (role) => BASIC_ROLES.includes(role), member: isSubjectToBasicRoles },
  ({ role, member }) => `${member} holds the basic role ${role} here and on everything below.`,
);

function isSubjectToBasicRoles(member: string): boolean {
  if (member.startsWith('user:') || member.startsWith('group:')) return true;
  const account = serviceAccountOf(member);
  return account !== null && !isGoogleMadeAccount(account);
}

/** The name of a role ends after its last slash; versions of one follow a dot, as in compute.instanceAdmin.v1. */
const ADMINISTRATES = /admin(\.v\d+)?$/i;

const iamSaAdminPrivileges = grantRule(
  {
    id: 'iam-sa-admin-privileges',
    title: 'Service account is an administrator',
    severity: 'high',
    category: 'iam',
    assetTypes: CONTAINERS,
    description:
      'A workload that is taken over hands its roles to the intruder. With those of an owner, an editor or an administrator the damage does not stop at the workload.',
    remediation:
      'Find out what the workload does (gcloud recommender insights list --insight-type=google.iam.policy.Insight), give it those permissions alone, then remove the role: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE.',
    compliance: cis({ v4: '1.5', v5: '1.6' }),
  },
  {
    role: (role) => BASIC_ROLES.includes(role) || ADMINISTRATES.test(role),
    member: (member) => isUserMadeAccount(serviceAccountOf(member) ?? ''),
  },
  ({ role, member }) => `${member} administrates by ${role}, here and on everything below.`,
);

const iamSaUserProjectLevel = grantRule(
  {
    id: 'iam-sa-user-project-level',
    title: 'Someone may act as every service account of the project',
    severity: 'medium',
    category: 'iam',
    assetTypes: [PROJECT],
    description:
      'Who is a service account user on the project can run code as any of its service accounts, those of the future included, and so gathers the roles of all of them.',
    remediation:
      'Give the role on the one account that it is needed for: gcloud iam service-accounts add-iam-policy-binding ACCOUNT --member=MEMBER --role=roles/iam.serviceAccountUser. Then remove it from the project: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountUser.',
    compliance: cis({ v4: '1.6', v5: '1.7' }),
  },
  { role: (role) => role === 'roles/iam.serviceAccountUser', member: () => true },
  ({ member }) => `${member} may run code as every service account of this project.`,
);

const iamTokenCreatorProjectLevel = grantRule(
  {
    id: 'iam-token-creator-project-level',
    title: 'Someone may make tokens of every service account of the project',
    severity: 'high',
    category: 'iam',
    assetTypes: [PROJECT],
    description:
      'Who creates tokens on the project can be any of its service accounts from anywhere, without a trace of a key.',
    remediation:
      'Give the role on the one account that it is needed for: gcloud iam service-accounts add-iam-policy-binding ACCOUNT --member=MEMBER --role=roles/iam.serviceAccountTokenCreator. Then remove it from the project: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountTokenCreator.',
    compliance: cis({ v4: '1.6', v5: '1.7' }),
  },
  { role: (role) => role === 'roles/iam.serviceAccountTokenCreator', member: () => true },
  ({ member }) => `${member} may make tokens of every service account of this project.`,
);

const iamDefaultSaEditor = grantRule(
  {
    id: 'iam-default-sa-editor',
    title: 'Default service account is an editor',
    severity: 'high',
    category: 'iam',
    assetTypes: [PROJECT],
    description:
      'Google used to make the default accounts of Compute Engine and App Engine editors of the whole project. Every instance and every app for which nobody chose another account runs as one.',
    remediation:
      'Give the account the roles that what runs as it needs, or better, each workload an account of its own; then: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/editor.',
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
