import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';

/** A rule on disk copies that are shared with everyone. */
function copyRule(kind: 'image' | 'snapshot', type: string): Rule {
  return publicPolicyRule(
    {
      id: `${kind}-public`,
      title: `Disk ${kind} is public`,
      severity: 'high',
      category: 'compute',
      assetTypes: [type],
      description: `A disk ${kind} can be turned into a disk that contains everything on the original: files, keys, and deleted data that was not overwritten. It must not be granted to allUsers or allAuthenticatedUsers.`,
      remediation: `Remove the binding: \`gcloud compute ${kind}s remove-iam-policy-binding NAME --member=MEMBER --role=ROLE\`.`,
      compliance: NO_REQUIREMENT,
    },
    kind,
  );
}

export const IMAGE_RULES: readonly Rule[] = [
  copyRule('image', 'compute.googleapis.com/Image'),
  copyRule('snapshot', 'compute.googleapis.com/Snapshot'),
];
