import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';

const arRepoPublic = publicPolicyRule(
  {
    id: 'ar-repo-public',
    title: 'Artifact repository is open to everyone',
    severity: 'high',
    category: 'serverless',
    assetTypes: ['artifactregistry.googleapis.com/Repository'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a repository gives your images and packages away, with the code and the settings in them; where it lets them write, others run what strangers put there.',
    remediation:
      'Name those who need it, and remove everyone: gcloud artifacts repositories remove-iam-policy-binding REPOSITORY --location=LOCATION --member=MEMBER --role=ROLE.',
    compliance: NO_REQUIREMENT,
  },
  'repository',
);

export const ARTIFACT_REGISTRY_RULES: readonly Rule[] = [arRepoPublic];
