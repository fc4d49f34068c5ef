import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';

/** A rule on a copy of a disk that everyone may have. */
function copyRule(kind: 'image' | 'snapshot', type: string): Rule {
  return publicPolicyRule(
    {
      id: `${kind}-public`,
      title: `Disk ${kind} is public`,
      severity: 'high',
      category: 'compute',
      assetTypes: [type],
      description: `Whoever may use a disk ${kind} makes a disk of it and reads all that was on the original: files, keys, and what was deleted but not overwritten. None should be given to allUsers or allAuthenticatedUsers.`,
      remediation: `Remove the binding: gcloud compute ${kind}s remove-iam-policy-binding NAME --member=MEMBER --role=ROLE.`,
      compliance: NO_REQUIREMENT,
    },
    kind,
  );
}

export const IMAGE_RULES: readonly Rule[] = [
  copyRule('image', 'compute.googleapis.com/Image'),
  copyRule('snapshot', 'compute.googleapis.com/Snapshot'),
];
