import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { set } from '../fixes/set.ts';
import type { Asset } from '../inventory/normalise.ts';
import { child } from '../json.ts';
import { enforcementOf } from '../organization-policy.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import type { Placed } from '../project-reference.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: storage v1, discovery revision 20261009.
 */

const isPrevented = enforcementOf('storage.publicAccessPrevention');

export const bucketPublicAccessPrevention = resourceRule(
  {
    id: 'bucket-public-access-prevention',
    title: 'Bucket can be made public',
    severity: 'medium',
    category: 'storage',
    assetTypes: ['storage.googleapis.com/Bucket'],
    description:
      'Public access prevention overrides policies and ACLs for allUsers and allAuthenticatedUsers, including future mistakes. It can be set on the bucket, or by an organization policy of its project, folder or organization.',
    remediation:
      'Enable it: `gcloud storage buckets update gs://BUCKET --public-access-prevention`. For all buckets at once: `gcloud resource-manager org-policies enable-enforce storage.publicAccessPrevention --project=PROJECT`.',
    compliance: NO_REQUIREMENT,
    fix: set(
      { 'iamConfiguration.publicAccessPrevention': 'enforced' },
      {
        gcloud: 'storage buckets update gs://{name} --public-access-prevention',
        terraform: { google_storage_bucket: { public_access_prevention: 'enforced' } },
        caution: 'Public access to the bucket and its objects ends.',
      },
    ),
  },
  (bucket, asset, { snapshot }) => {
    const setting = child(bucket, 'iamConfiguration')?.publicAccessPrevention;
    if (isEnum(setting, 'enforced')) return PASS;
    const isPreventedAbove = snapshot.derive(isPrevented)(placed(asset));
    if (isPreventedAbove === null) return unknown('ORG_POLICY');
    if (isPreventedAbove) return PASS;
    return fail({
      message: 'Neither this bucket nor an organization policy prevents public access.',
      evidence: [cite('iamConfiguration.publicAccessPrevention', setting)],
    });
  },
);

/** A bucket's name does not contain its project; its record does, even without ancestors in the export. */
function placed(asset: Asset): Placed {
  const number = asset.data?.projectNumber;
  if (asset.ancestors.length > 0 || number === undefined) return asset;
  return { name: asset.name, ancestors: [`projects/${String(number)}`] };
}
