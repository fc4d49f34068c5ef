import { assetOf } from '../testing/asset.ts';
import { finding, granted, withoutPolicy } from '../testing/policy-cases.ts';
import type { RuleCases } from '../testing/rule-cases.ts';

const PROJECT = 'cloudresourcemanager.googleapis.com/Project';
const BUCKET = 'storage.googleapis.com/Bucket';
const FIREWALL = 'compute.googleapis.com/Firewall';
const UNHEARD_OF = 'example.googleapis.com/Thing';

const UNKNOWN = [
  withoutPolicy(PROJECT),
  withoutPolicy(BUCKET),
  withoutPolicy('iam.googleapis.com/ServiceAccount'),
] as const;

export const IAM_MEMBER_CASES: readonly RuleCases[] = [
  {
    rule: 'iam-external-members',
    pass: [
      { name: 'an empty policy', asset: assetOf({ type: PROJECT, iamPolicy: {} }) },
      granted(
        'accounts of whatever other domain, while the tenant has named none of its own',
        PROJECT,
        'roles/viewer user:a@b.example group:g@c.example domain:d.example user:x@notgmail.com',
      ),
      granted(
        'members who are nobody in particular, or no people',
        BUCKET,
        'roles/viewer allUsers projectViewer:p serviceAccount:gmail.com@p.iam.gserviceaccount.com',
        'roles/viewer deleted:user:a@gmail.com?uid=1',
        'roles/viewer principal://iam.googleapis.com/locations/global/workforcePools/p/subject/a@gmail.com',
      ),
    ],
    fail: [
      finding(
        granted(
          'private accounts, in any letter case',
          PROJECT,
          'roles/viewer user:Ada@Gmail.com user:a@b.example group:g@googlemail.com',
          'roles/owner user:Ada@Gmail.com',
        ),
        'roles/viewer user:Ada@Gmail.com',
        'roles/viewer group:g@googlemail.com',
        'roles/owner user:Ada@Gmail.com',
      ),
      granted('on a bucket', BUCKET, 'roles/storage.objectViewer user:a@gmail.com'),
      granted('on what seldom has a policy', FIREWALL, 'roles/viewer user:a@gmail.com'),
      granted('on a type that nobody has heard of', UNHEARD_OF, 'roles/viewer user:a@gmail.com'),
    ],
    na: 'never',
    unknown: UNKNOWN,
  },
  {
    rule: 'iam-deleted-members',
    pass: [
      granted('accounts that are there', PROJECT, 'roles/viewer user:deleted@b.example allUsers'),
      granted('a bucket too', BUCKET, 'roles/viewer group:g@b.example'),
    ],
    fail: [
      finding(
        granted(
          'accounts of every kind',
          PROJECT,
          'roles/viewer deleted:user:a@b.example?uid=1 user:a@b.example',
          'roles/editor deleted:serviceAccount:s@p.iam.gserviceaccount.com?uid=2 deleted:group:g@b.example?uid=3',
        ),
        'roles/viewer deleted:user:a@b.example?uid=1',
        'roles/editor deleted:serviceAccount:s@p.iam.gserviceaccount.com?uid=2',
        'roles/editor deleted:group:g@b.example?uid=3',
      ),
      granted(
        'on what seldom has a policy',
        FIREWALL,
        'roles/viewer deleted:user:a@b.example?uid=1',
      ),
      granted(
        'on a type that nobody has heard of',
        UNHEARD_OF,
        'r deleted:group:g@b.example?uid=1',
      ),
    ],
    na: 'never',
    unknown: UNKNOWN,
  },
];
