import { assetOf, policyOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const TYPE = 'bigquery.googleapis.com/Dataset';
const dataset = resourceCases(TYPE);
const named = { role: 'OWNER', specialGroup: 'projectOwners' };

export const BIGQUERY_CASES: readonly RuleCases[] = [
  {
    rule: 'bq-dataset-public',
    pass: [
      {
        name: 'a policy that names people',
        asset: assetOf({
          type: TYPE,
          iamPolicy: policyOf('roles/bigquery.dataViewer user:a@b.c'),
        }),
      },
      dataset.case('an access list that names people', { access: [named] }),
      dataset.case('an empty access list', { access: [] }),
    ],
    fail: [
      {
        name: 'a public policy',
        asset: assetOf({
          type: TYPE,
          iamPolicy: policyOf('roles/bigquery.dataViewer allUsers allAuthenticatedUsers'),
        }),
        findings: [
          { subject: 'roles/bigquery.dataViewer allUsers' },
          { subject: 'roles/bigquery.dataViewer allAuthenticatedUsers' },
        ],
      },
      {
        ...dataset.case('public entries of an access list, under their IAM roles', {
          access: [
            named,
            { role: 'READER', specialGroup: 'allAuthenticatedUsers' },
            { role: 'WRITER', iamMember: 'allUsers' },
          ],
        }),
        findings: [
          { subject: 'roles/bigquery.dataViewer allAuthenticatedUsers' },
          { subject: 'roles/bigquery.dataEditor allUsers' },
        ],
      },
      {
        name: 'a grant that policy and access list both show, once',
        asset: assetOf({
          type: TYPE,
          iamPolicy: policyOf('roles/bigquery.dataViewer allUsers'),
          data: { access: [{ role: 'READER', iamMember: 'allUsers' }] },
        }),
        findings: [{ subject: 'roles/bigquery.dataViewer allUsers' }],
      },
      dataset.case('a special group in capitals', {
        access: [{ role: 'READER', specialGroup: 'ALL_AUTHENTICATED_USERS' }],
      }),
    ],
    na: 'never',
    unknown: [
      dataset.case('a dataset without policy and access list', { id: 'p:d' }),
      { name: 'a dataset of which only the name was exported', asset: assetOf({ type: TYPE }) },
    ],
  },
];
