import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';

const arRepoPublic = publicPolicyRule(
  {
    id: 'ar-repo-public',
    title: 'Artifact repository is public',
    severity: 'high',
    category: 'serverless',
    assetTypes: ['artifactregistry.googleapis.com/Repository'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a repository exposes your images and packages, including code and settings. With write access, strangers can replace what others run.',
    remediation:
      'Grant the role to specific members and remove the public member: `gcloud artifacts repositories remove-iam-policy-binding REPOSITORY --location=LOCATION --member=MEMBER --role=ROLE`.',
    compliance: NO_REQUIREMENT,
  },
  'repository',
);

export const ARTIFACT_REGISTRY_RULES: readonly Rule[] = [arRepoPublic];
