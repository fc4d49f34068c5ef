import { assetOf } from '../testing/asset.ts';
import { finding, granted, withoutPolicy } from '../testing/policy-cases.ts';
import type { RuleCases } from '../testing/rule-cases.ts';

const PROJECT = 'cloudresourcemanager.googleapis.com/Project';
const FOLDER = 'cloudresourcemanager.googleapis.com/Folder';
const ORGANIZATION = 'cloudresourcemanager.googleapis.com/Organization';

const CI = 'serviceAccount:ci@shop-prod.iam.gserviceaccount.com';
const COMPUTE = 'serviceAccount:482915036174-compute@developer.gserviceaccount.com';
const APP_ENGINE = 'serviceAccount:shop-prod@appspot.gserviceaccount.com';
const WORKFORCE = 'principal://iam.googleapis.com/locations/global/workforcePools/p/subject/s';
const REPOSITORY =
  'principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/github/attribute.repository/acme/shop';
const GOOGLES_OWN = [
  COMPUTE,
  APP_ENGINE,
  'serviceAccount:482915036174@cloudservices.gserviceaccount.com',
  'serviceAccount:service-482915036174@compute-system.iam.gserviceaccount.com',
  'serviceAccount:p482915036174-x@gcp-sa-cloud-sql.iam.gserviceaccount.com',
  'serviceAccount:project-482915036174@storage-transfer-service.iam.gserviceaccount.com',
].join(' ');

const UNKNOWN = [
  withoutPolicy(PROJECT),
  withoutPolicy(FOLDER),
  withoutPolicy(ORGANIZATION),
] as const;
const EMPTY = { name: 'an empty policy', asset: assetOf({ type: PROJECT, iamPolicy: {} }) };

export const IAM_HIERARCHY_CASES: readonly RuleCases[] = [
  {
    rule: 'iam-public-project',
    pass: [
      EMPTY,
      granted('a policy that names people', PROJECT, 'roles/viewer user:ada@example.com'),
      granted('a member that only sounds like it', PROJECT, 'roles/viewer user:allUsers'),
      granted('the owners of a project', PROJECT, 'roles/viewer projectOwner:shop'),
    ],
    fail: [
      finding(
        granted(
          'one finding for each role and member',
          PROJECT,
          'roles/viewer user:ada@example.com allUsers',
          'roles/browser allAuthenticatedUsers allUsers',
        ),
        'roles/viewer allUsers',
        'roles/browser allAuthenticatedUsers',
        'roles/browser allUsers',
      ),
      finding(
        granted(
          'one finding for a binding that is repeated',
          FOLDER,
          'roles/viewer allUsers',
          'roles/viewer allUsers',
        ),
        'roles/viewer allUsers',
      ),
      granted('an organization too', ORGANIZATION, 'roles/browser allAuthenticatedUsers'),
    ],
    na: 'never',
    unknown: UNKNOWN,
  },
  {
    rule: 'iam-primitive-roles',
    pass: [
      EMPTY,
      granted("Google's own accounts", PROJECT, `roles/editor ${GOOGLES_OWN}`),
      granted('the third basic role, which only reads', PROJECT, 'roles/viewer user:a@b.example'),
      granted('roles that end alike', PROJECT, 'roles/bigquery.dataOwner user:a@b.example'),
      granted('a custom role of that name', PROJECT, 'projects/p/roles/owner user:a@b.example'),
      granted(
        'members of other kinds',
        PROJECT,
        'roles/owner domain:b.example allUsers projectOwner:p deleted:user:a@b.example?uid=1',
      ),
    ],
    fail: [
      finding(
        granted(
          'one finding for each role and member',
          PROJECT,
          `roles/owner user:a@b.example group:g@b.example`,
          `roles/editor ${CI} ${GOOGLES_OWN} user:a@b.example`,
        ),
        'roles/owner user:a@b.example',
        'roles/owner group:g@b.example',
        `roles/editor ${CI}`,
        'roles/editor user:a@b.example',
      ),
      finding(
        granted('federated identities', PROJECT, `roles/editor ${WORKFORCE} ${REPOSITORY}`),
        `roles/editor ${WORKFORCE}`,
        `roles/editor ${REPOSITORY}`,
      ),
      granted(
        'the account of Cloud Build',
        FOLDER,
        'roles/editor serviceAccount:1@cloudbuild.gserviceaccount.com',
      ),
      granted('a workload of a cluster', PROJECT, 'roles/editor serviceAccount:p.svc.id.goog[n/w]'),
      granted(
        'a person who is called like a service',
        ORGANIZATION,
        'roles/owner user:service-1@b.example',
      ),
      {
        name: 'a binding under a condition',
        asset: assetOf({
          type: PROJECT,
          iamPolicy: {
            bindings: [
              {
                role: 'roles/owner',
                members: ['user:a@b.example'],
                condition: { expression: 'request.time < timestamp("2027-01-01T00:00:00Z")' },
              },
            ],
          },
        }),
      },
    ],
    na: 'never',
    unknown: UNKNOWN,
  },
  {
    rule: 'iam-sa-admin-privileges',
    pass: [
      EMPTY,
      granted("Google's own accounts", PROJECT, `roles/owner ${GOOGLES_OWN}`),
      granted('a person', PROJECT, 'roles/owner user:a@b.example group:g@b.example'),
      granted(
        'roles that are not of an administrator',
        PROJECT,
        `roles/viewer ${CI}`,
        `roles/administrator.viewer ${CI}`,
        `roles/firebase.sdkAdminServiceAgent ${CI}`,
        `projects/admin/roles/reader ${CI}`,
        `roles/compute.instanceAdmin.v1beta ${CI}`,
      ),
      granted(
        'accounts that nobody made in a project',
        PROJECT,
        'roles/storage.admin serviceAccount:1@cloudbuild.gserviceaccount.com',
        'roles/storage.admin serviceAccount:p.svc.id.goog[n/w]',
        `roles/storage.admin deleted:${CI}?uid=1`,
      ),
    ],
    fail: [
      finding(
        granted(
          'one finding for each role of an administrator',
          PROJECT,
          `roles/owner ${CI}`,
          `roles/editor ${CI} ${GOOGLES_OWN}`,
          `roles/storage.admin ${CI}`,
          `roles/iam.securityAdmin ${CI}`,
          `roles/compute.instanceAdmin.v1 ${CI}`,
          `organizations/1/roles/CustomADMIN ${CI}`,
        ),
        `roles/owner ${CI}`,
        `roles/editor ${CI}`,
        `roles/storage.admin ${CI}`,
        `roles/iam.securityAdmin ${CI}`,
        `roles/compute.instanceAdmin.v1 ${CI}`,
        `organizations/1/roles/CustomADMIN ${CI}`,
      ),
      granted(
        'an account of another project',
        FOLDER,
        'roles/logging.admin serviceAccount:x@other.iam.gserviceaccount.com',
      ),
      granted('an organization too', ORGANIZATION, `roles/resourcemanager.organizationAdmin ${CI}`),
    ],
    na: 'never',
    unknown: UNKNOWN,
  },
  {
    rule: 'iam-sa-user-project-level',
    pass: [
      EMPTY,
      granted('the role without a member', PROJECT, 'roles/iam.serviceAccountUser'),
      granted('other roles', PROJECT, 'roles/iam.serviceAccountAdmin user:a@b.example'),
    ],
    fail: [
      finding(
        granted(
          'each member, of whatever kind',
          PROJECT,
          `roles/iam.serviceAccountUser user:a@b.example ${CI} ${COMPUTE}`,
        ),
        'roles/iam.serviceAccountUser user:a@b.example',
        `roles/iam.serviceAccountUser ${CI}`,
        `roles/iam.serviceAccountUser ${COMPUTE}`,
      ),
    ],
    na: 'never',
    unknown: [withoutPolicy(PROJECT)],
  },
  {
    rule: 'iam-token-creator-project-level',
    pass: [EMPTY, granted('other roles', PROJECT, 'roles/iam.serviceAccountUser user:a@b.example')],
    fail: [
      finding(
        granted(
          'each member, of whatever kind',
          PROJECT,
          `roles/iam.serviceAccountTokenCreator domain:b.example ${CI}`,
        ),
        'roles/iam.serviceAccountTokenCreator domain:b.example',
        `roles/iam.serviceAccountTokenCreator ${CI}`,
      ),
    ],
    na: 'never',
    unknown: [withoutPolicy(PROJECT)],
  },
  {
    rule: 'iam-default-sa-editor',
    pass: [
      EMPTY,
      granted(
        'default accounts with other roles',
        PROJECT,
        `roles/viewer ${COMPUTE} ${APP_ENGINE}`,
        `roles/owner ${COMPUTE}`,
      ),
      granted(
        'editors that are not default accounts',
        PROJECT,
        `roles/editor ${CI} user:1-compute@developer.gserviceaccount.com`,
        'roles/editor serviceAccount:x-compute@developer.gserviceaccount.com',
        'roles/editor serviceAccount:1@cloudservices.gserviceaccount.com',
        `roles/editor deleted:${COMPUTE}?uid=1`,
      ),
    ],
    fail: [
      finding(
        granted('both default accounts', PROJECT, `roles/editor ${COMPUTE} ${CI} ${APP_ENGINE}`),
        `roles/editor ${COMPUTE}`,
        `roles/editor ${APP_ENGINE}`,
      ),
    ],
    na: 'never',
    unknown: [withoutPolicy(PROJECT)],
  },
];
