import type { JsonValue } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const role = resourceCases('iam.googleapis.com/Role');
const provider = resourceCases('iam.googleapis.com/WorkloadIdentityPoolProvider');
const GITHUB = { issuerUri: 'https://token.actions.githubusercontent.com' };

const PROJECT = assetOf({
  type: 'cloudresourcemanager.googleapis.com/Project',
  name: '//cloudresourcemanager.googleapis.com/projects/1',
  data: { projectId: 'shop' },
  ancestors: ['projects/1', 'organizations/9'],
});

function contact(container: string, categories: JsonValue, more = {}) {
  return assetOf({
    type: 'essentialcontacts.googleapis.com/Contact',
    name: `//essentialcontacts.googleapis.com/${container}/contacts/${JSON.stringify(categories).length}`,
    data: { email: 'ops@b.example', notificationCategorySubscriptions: categories, ...more },
    ancestors: container === 'projects/1' ? ['projects/1', 'organizations/9'] : [container],
  });
}

export const IAM_RESOURCE_CASES: readonly RuleCases[] = [
  {
    rule: 'iam-custom-role-dangerous',
    pass: [
      role.case('harmless permissions', {
        includedPermissions: ['storage.objects.get', 'iam.serviceAccounts.getIamPolicy'],
      }),
      role.case('permissions that begin alike', {
        includedPermissions: [
          'iam.serviceAccounts.actAsNobody',
          'iam.serviceAccounts.signJwt',
          'iam.serviceAccountKeys.get',
          'storage.buckets.setIamPolicyLater',
        ],
      }),
      role.case('a role without permissions', { name: 'projects/p/roles/r' }),
    ],
    fail: [
      role.case('a role that is disabled, and can be enabled', {
        includedPermissions: ['iam.serviceAccounts.actAs'],
        stage: 'DISABLED',
      }),
      ...[
        'iam.serviceAccounts.actAs',
        'iam.serviceAccounts.getAccessToken',
        'iam.serviceAccounts.signBlob',
        'iam.serviceAccountKeys.create',
        'deploymentmanager.deployments.create',
        'resourcemanager.projects.setIamPolicy',
        'storage.buckets.setIamPolicy',
      ].map((permission) =>
        role.case(permission, { includedPermissions: ['storage.objects.get', permission] }),
      ),
    ],
    na: [
      role.case('a deleted role', {
        includedPermissions: ['iam.serviceAccounts.actAs'],
        deleted: true,
      }),
    ],
    unknown: role.unknown,
  },
  {
    rule: 'wif-no-attribute-condition',
    pass: [
      provider.case('a condition', {
        oidc: GITHUB,
        attributeCondition: "assertion.repository_owner_id == '1'",
      }),
      provider.case('an issuer of one customer', { oidc: { issuerUri: 'https://idp.b.example' } }),
      provider.case('an issuer of one enterprise', {
        oidc: { issuerUri: 'https://token.actions.githubusercontent.com/octo' },
      }),
      provider.case('a provider that is disabled', { oidc: GITHUB, disabled: true }),
      provider.case('a provider without an issuer', { oidc: {} }),
    ],
    fail: [
      provider.case('no condition', { oidc: GITHUB, state: 'ACTIVE' }),
      provider.case('an empty condition', { oidc: GITHUB, attributeCondition: ' ' }),
      provider.case('a condition that always holds', { oidc: GITHUB, attributeCondition: 'true' }),
      provider.case('an address with a slash', { oidc: { issuerUri: 'https://gitlab.com/' } }),
      provider.case('a mapping, which restricts nobody', {
        oidc: { issuerUri: 'https://app.terraform.io' },
        attributeMapping: { 'google.subject': 'assertion.sub' },
      }),
    ],
    na: [
      provider.case('a provider of AWS', { aws: { accountId: '123456789012' } }),
      provider.case('a provider by SAML', { saml: { idpMetadataXml: '<x/>' } }),
      provider.case('a deleted provider', { oidc: GITHUB, state: 'DELETED' }),
    ],
    unknown: provider.unknown,
  },
  {
    rule: 'org-essential-contacts',
    pass: [
      { name: 'a contact for all', others: [PROJECT, contact('projects/1', ['ALL'])] },
      {
        name: 'contacts for both, one of them above the project',
        others: [
          PROJECT,
          contact('projects/1', ['BILLING', 'TECHNICAL']),
          contact('organizations/9', ['SECURITY']),
        ],
      },
      {
        name: 'a contact of an organization without its project in the inventory',
        others: [contact('projects/1', ['SECURITY', 'TECHNICAL', 'LEGAL'])],
      },
    ],
    fail: [
      {
        name: 'contacts for one of both',
        others: [
          PROJECT,
          contact('projects/1', ['SECURITY']),
          contact('organizations/9', ['BILLING', 'TECHNICAL_INCIDENTS']),
        ],
        findings: [{ subject: '' }],
      },
      { name: 'a contact for nothing', others: [PROJECT, contact('projects/1', [])] },
      {
        name: 'a contact that is marked as invalid',
        others: [PROJECT, contact('projects/1', ['ALL'], { validationState: 'INVALID' })],
      },
      {
        name: 'a contact in an unknown state',
        others: [PROJECT, contact('projects/1', ['ALL'], { validationState: 'BOUNCED' })],
      },
      {
        name: 'a contact of another organization',
        others: [PROJECT, contact('organizations/8', ['ALL'])],
      },
    ],
    na: 'never',
    unknown: [
      { name: 'an inventory without contacts', others: [PROJECT] },
      {
        name: 'an inventory that has the names of contacts only',
        others: [
          PROJECT,
          assetOf({
            type: 'essentialcontacts.googleapis.com/Contact',
            name: '//essentialcontacts.googleapis.com/projects/1/contacts/1',
          }),
        ],
      },
    ],
  },
];
