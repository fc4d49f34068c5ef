import type { JsonValue } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { finding, granted, withoutPolicy } from '../testing/policy-cases.ts';
import type { RuleCase, RuleCases } from '../testing/rule-cases.ts';

const PROJECT = 'cloudresourcemanager.googleapis.com/Project';
const ORGANIZATION = 'cloudresourcemanager.googleapis.com/Organization';
const ALL = ['ADMIN_READ', 'DATA_READ', 'DATA_WRITE'];

function audited(name: string, iamPolicy: JsonValue, type = PROJECT): RuleCase {
  return { name, asset: assetOf({ type, iamPolicy }) };
}

function configOf(service: string, types: readonly string[]) {
  return { service, auditLogConfigs: types.map((logType) => ({ logType })) };
}

export const IAM_POLICY_CASES: readonly RuleCases[] = [
  {
    rule: 'iam-audit-config',
    pass: [
      audited('all three kinds, as names', { auditConfigs: [configOf('allServices', ALL)] }),
      audited('all three kinds, as numbers in snake_case', {
        audit_configs: [
          {
            service: 'allServices',
            audit_log_configs: [{ log_type: 1 }, { log_type: 2 }, { log_type: 3 }],
          },
        ],
      }),
      audited('all three kinds in several entries', {
        auditConfigs: [
          configOf('allServices', ['DATA_READ']),
          configOf('storage.googleapis.com', ['ADMIN_READ']),
          configOf('allServices', ['DATA_WRITE', 'ADMIN_READ']),
        ],
      }),
      audited(
        'an organization, with an empty list of exemptions',
        {
          audit_configs: [
            {
              service: 'allServices',
              audit_log_configs: [1, 2, 3].map((log_type) => ({ log_type, exempted_members: [] })),
            },
          ],
        },
        ORGANIZATION,
      ),
    ],
    fail: [
      audited('a policy that says nothing of it', { bindings: [] }),
      audited('an organization too', {}, ORGANIZATION),
      audited('two kinds of three', {
        auditConfigs: [configOf('allServices', ['DATA_READ', 'DATA_WRITE'])],
      }),
      audited('all kinds for one service only', {
        auditConfigs: [configOf('storage.googleapis.com', ALL)],
      }),
      finding(
        audited('someone who is exempt', {
          audit_configs: [
            {
              service: 'allServices',
              audit_log_configs: [
                { log_type: 1 },
                { log_type: 2 },
                { log_type: 3, exempted_members: ['user:a@b.example'] },
              ],
            },
          ],
        }),
        '',
      ),
      audited('someone who is exempt in one of two entries', {
        auditConfigs: [
          configOf('allServices', ALL),
          {
            service: 'allServices',
            auditLogConfigs: [{ logType: 'DATA_READ', exemptedMembers: ['user:a@b.example'] }],
          },
        ],
      }),
      audited('numbers that stand for no kind', {
        audit_configs: [
          {
            service: 'allServices',
            audit_log_configs: [0, 1, 2, 4].map((log_type) => ({ log_type })),
          },
        ],
      }),
    ],
    na: 'never',
    unknown: [withoutPolicy(PROJECT), withoutPolicy(ORGANIZATION)],
  },
  {
    rule: 'iam-sa-separation-of-duties',
    pass: [
      granted(
        'the two duties with different members',
        PROJECT,
        'roles/iam.serviceAccountAdmin user:a@b.example',
        'roles/iam.serviceAccountUser user:c@b.example group:a@b.example',
      ),
      granted(
        'one duty twice',
        PROJECT,
        'roles/iam.serviceAccountAdmin user:a@b.example',
        'roles/iam.serviceAccountAdmin user:a@b.example',
      ),
      granted(
        'federated identities that differ in letter case',
        PROJECT,
        'roles/iam.serviceAccountAdmin principal://iam.googleapis.com/x/subject/S',
        'roles/iam.serviceAccountUser principal://iam.googleapis.com/x/subject/s',
      ),
    ],
    fail: [
      finding(
        granted(
          'each member who has both, over all bindings',
          PROJECT,
          'roles/iam.serviceAccountUser user:a@b.example group:g@b.example',
          'roles/viewer user:c@b.example',
          'roles/iam.serviceAccountAdmin user:c@b.example group:g@b.example',
          'roles/iam.serviceAccountUser user:c@b.example',
        ),
        'group:g@b.example',
        'user:c@b.example',
      ),
      finding(
        granted(
          'one address in two letter cases',
          PROJECT,
          'roles/iam.serviceAccountUser user:Ada@b.example',
          'roles/iam.serviceAccountAdmin user:ada@b.example',
        ),
        'user:Ada@b.example',
      ),
    ],
    na: 'never',
    unknown: [withoutPolicy(PROJECT)],
  },
  {
    rule: 'iam-kms-separation-of-duties',
    pass: [
      granted(
        'the two duties with different members',
        PROJECT,
        'roles/cloudkms.admin user:a@b.example',
        'roles/cloudkms.cryptoKeyEncrypterDecrypter user:c@b.example',
      ),
      granted(
        'two ways to use a key',
        PROJECT,
        'roles/cloudkms.cryptoKeyEncrypter user:a@b.example',
        'roles/cloudkms.cryptoKeyDecrypter user:a@b.example',
      ),
      granted(
        'roles on keys that neither manage nor use',
        PROJECT,
        'roles/cloudkms.admin user:a@b.example',
        'roles/cloudkms.viewer user:a@b.example',
      ),
    ],
    fail: [
      finding(
        granted(
          'each member who manages and uses, in any of three ways',
          PROJECT,
          'roles/cloudkms.admin user:a@b.example user:c@b.example user:d@b.example',
          'roles/cloudkms.cryptoKeyEncrypterDecrypter user:a@b.example',
          'roles/cloudkms.cryptoKeyEncrypter user:c@b.example',
          'roles/cloudkms.cryptoKeyDecrypter user:c@b.example user:d@b.example',
        ),
        'user:a@b.example',
        'user:c@b.example',
        'user:d@b.example',
      ),
    ],
    na: 'never',
    unknown: [withoutPolicy(PROJECT)],
  },
];
