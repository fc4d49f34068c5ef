import { assetOf, policyOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const TYPE = 'bigquery.googleapis.com/Dataset';
const dataset = resourceCases(TYPE);
const table = resourceCases('bigquery.googleapis.com/Table');
const cluster = resourceCases('dataproc.googleapis.com/Cluster');
const KEY = { kmsKeyName: 'projects/p/locations/eu/keyRings/r/cryptoKeys/k' };
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
      { name: 'a dataset whose export has only its name', asset: assetOf({ type: TYPE }) },
      {
        name: 'a policy in another form than the API writes, although the access list names people',
        asset: assetOf({
          type: TYPE,
          iamPolicy: { bindings: [{ role: 'roles/bigquery.dataViewer', members: 'allUsers' }] },
          data: { access: [named] },
        }),
      },
    ],
  },
  {
    rule: 'bq-dataset-cmek',
    pass: [dataset.case('a default key', { defaultEncryptionConfiguration: KEY })],
    fail: [
      dataset.case('no default key', { type: 'DEFAULT' }),
      dataset.case('an empty name of a key', {
        defaultEncryptionConfiguration: { kmsKeyName: '' },
      }),
    ],
    na: [
      dataset.case('a dataset that shows another one', { type: 'LINKED' }),
      dataset.case('a dataset that shows a database', { type: 'EXTERNAL' }),
    ],
    unknown: dataset.unknown,
  },
  {
    rule: 'bq-table-cmek',
    pass: [table.case('a key', { type: 'TABLE', encryptionConfiguration: KEY })],
    fail: [
      table.case('no key', { type: 'TABLE' }),
      table.case('no key and no type', {}),
      table.case('a view that keeps its results', { type: 'MATERIALIZED_VIEW' }),
      table.case('a snapshot', { type: 'SNAPSHOT', encryptionConfiguration: {} }),
    ],
    na: [
      table.case('a view', { type: 'VIEW', view: { query: 'SELECT 1' } }),
      table.case('an external table', { type: 'EXTERNAL' }),
    ],
    unknown: table.unknown,
  },
  {
    rule: 'dataproc-cmek',
    pass: [
      cluster.case('a key for its disks', {
        config: { encryptionConfig: { gcePdKmsKeyName: KEY.kmsKeyName } },
      }),
      cluster.case('a key for its disks and the arguments of its jobs', {
        config: { encryptionConfig: { kmsKey: KEY.kmsKeyName } },
      }),
    ],
    fail: [
      cluster.case('no key', { config: {} }),
      cluster.case('keys that are empty', {
        config: { encryptionConfig: { gcePdKmsKeyName: '', kmsKey: '' } },
      }),
      cluster.case('no configuration', { clusterName: 'c' }),
    ],
    na: [
      cluster.case('a cluster on Kubernetes Engine', {
        virtualClusterConfig: { kubernetesClusterConfig: {} },
      }),
    ],
    unknown: cluster.unknown,
  },
];
