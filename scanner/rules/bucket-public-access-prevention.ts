import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import type { Asset } from '../inventory/normalise.ts';
import { child } from '../json.ts';
import { enforcementOf } from '../organisation-policy.ts';
import { fail, PASS } from '../outcome.ts';
import type { Placed } from '../project-reference.ts';
import { resourceRule } from '../rule-kinds.ts';

const isPrevented = enforcementOf('storage.publicAccessPrevention');

export const bucketPublicAccessPrevention = resourceRule(
  {
    id: 'bucket-public-access-prevention',
    title: 'Bucket can be made public',
    severity: 'medium',
    category: 'storage',
    assetTypes: ['storage.googleapis.com/Bucket'],
    description:
      'Public access prevention overrules whatever policies and ACLs give to allUsers and allAuthenticatedUsers, today and after the next mistake. The bucket can have it itself, or by an organisation policy of its project or of what lies above.',
    remediation:
      'Switch it on: gcloud storage buckets update gs://BUCKET --public-access-prevention. For all buckets at once: gcloud resource-manager org-policies enable-enforce storage.publicAccessPrevention --project=PROJECT.',
    compliance: NO_REQUIREMENT,
  },
  (bucket, asset, { snapshot }) => {
    const setting = child(bucket, 'iamConfiguration')?.publicAccessPrevention;
    if (isEnum(setting, 'enforced')) return PASS;
    if (snapshot.derive(isPrevented)(placed(asset))) return PASS;
    return fail({
      message: 'Neither this bucket nor an organisation policy prevents public access.',
      evidence: [cite('iamConfiguration.publicAccessPrevention', setting)],
    });
  },
);

/** The name of a bucket does not tell its project; its record does, also where the export left the ancestors out. */
function placed(asset: Asset): Placed {
  const number = asset.data?.projectNumber;
  if (asset.ancestors.length > 0 || number === undefined) return asset;
  return { name: asset.name, ancestors: [`projects/${String(number)}`] };
}
