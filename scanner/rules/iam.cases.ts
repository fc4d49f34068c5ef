import { assetOf, policyOf } from '../testing/asset.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const PROJECT = 'cloudresourcemanager.googleapis.com/Project';
const FOLDER = 'cloudresourcemanager.googleapis.com/Folder';
const ORGANIZATION = 'cloudresourcemanager.googleapis.com/Organization';

const key = resourceCases('iam.googleapis.com/ServiceAccountKey');

function granted(name: string, type: string, ...bindings: readonly string[]): RuleCase {
  return { name, asset: assetOf({ type, iamPolicy: policyOf(...bindings) }) };
}

export const IAM_CASES: readonly RuleCases[] = [
  {
    rule: 'iam-public-project',
    pass: [
      granted('a policy that names people', PROJECT, 'roles/viewer user:ada@example.com'),
      { name: 'an empty policy', asset: assetOf({ type: PROJECT, iamPolicy: {} }) },
      granted('a member that only sounds like it', PROJECT, 'roles/viewer user:allUsers'),
    ],
    fail: [
      {
        ...granted(
          'one finding for each role and member',
          PROJECT,
          'roles/viewer user:ada@example.com allUsers',
          'roles/browser allAuthenticatedUsers allUsers',
        ),
        findings: [
          { subject: 'roles/viewer allUsers' },
          { subject: 'roles/browser allAuthenticatedUsers' },
          { subject: 'roles/browser allUsers' },
        ],
      },
      {
        ...granted(
          'one finding for a binding that is repeated',
          FOLDER,
          'roles/viewer allUsers',
          'roles/viewer allUsers',
        ),
        findings: [{ subject: 'roles/viewer allUsers' }],
      },
      granted('an organisation too', ORGANIZATION, 'roles/browser allAuthenticatedUsers'),
    ],
    na: 'never',
    unknown: [
      {
        name: 'a project whose policy was not exported',
        asset: assetOf({ type: PROJECT, data: { projectId: 'shop' } }),
      },
    ],
  },
  {
    rule: 'sa-key-user-managed',
    pass: [
      key.case('a key that does not say who manages it', {}),
      key.case('a key of an unspecified type', { keyType: 'KEY_TYPE_UNSPECIFIED' }),
    ],
    fail: [
      key.case('a key managed by users', { keyType: 'USER_MANAGED' }),
      key.case('a disabled key, which can be enabled again', {
        keyType: 'USER_MANAGED',
        disabled: true,
      }),
    ],
    na: [key.case('a key managed by Google', { keyType: 'SYSTEM_MANAGED' })],
    unknown: key.unknown,
  },
];
