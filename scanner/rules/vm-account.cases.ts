import type { JsonObject } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const TYPE = 'compute.googleapis.com/Instance';
const instance = resourceCases(TYPE);

const DEFAULT = '731904285516-compute@developer.gserviceaccount.com';
const OWN = 'web@shop.iam.gserviceaccount.com';
const FULL = 'https://www.googleapis.com/auth/cloud-platform';
const STORAGE = 'https://www.googleapis.com/auth/devstorage.read_only';

function runningAs(email: string, ...scopes: readonly string[]): JsonObject {
  return { name: 'web', serviceAccounts: [{ email, scopes }] };
}

/** GKE nodes, which both rules skip. */
const NODES = [
  instance.case('a node of GKE by its name', {
    ...runningAs(DEFAULT, FULL),
    name: 'gke-shop-pool-1-abcd',
  }),
  instance.case('a node of GKE by its label', {
    ...runningAs(DEFAULT, FULL),
    labels: { 'goog-gke-node': '' },
  }),
  {
    name: 'a node of GKE by the name of its asset',
    asset: assetOf({
      type: TYPE,
      name: '//compute.googleapis.com/projects/p/zones/z/instances/gke-shop-pool-1-abcd',
      data: { serviceAccounts: [{ email: DEFAULT, scopes: [FULL] }] },
    }),
  },
] as const;

export const VM_ACCOUNT_CASES: readonly RuleCases[] = [
  {
    rule: 'vm-default-sa',
    pass: [
      instance.case('an account of its own', runningAs(OWN, FULL)),
      instance.case('no account', { name: 'web' }),
      instance.case(
        'an account that is only named somewhat alike',
        runningAs('x-compute@developer.gserviceaccount.com'),
      ),
      instance.case(
        'the default account of App Engine',
        runningAs('shop@appspot.gserviceaccount.com'),
      ),
    ],
    fail: [
      instance.case('the default account', runningAs(DEFAULT, STORAGE)),
      instance.case('the default account without scopes', runningAs(DEFAULT)),
      instance.case('the default account as a request calls it', runningAs('default')),
      instance.case('the same in the singular', {
        name: 'web',
        serviceAccount: [{ email: DEFAULT, scope: [STORAGE] }],
      }),
    ],
    na: NODES,
    unknown: instance.unknown,
  },
  {
    rule: 'vm-default-sa-full-scope',
    pass: [
      instance.case('an account of its own with all scopes', runningAs(OWN, FULL)),
      instance.case('the default account with some scopes', runningAs(DEFAULT, STORAGE)),
      instance.case(
        'the default account with a scope that only begins so',
        runningAs(DEFAULT, `${FULL}.read-only`),
      ),
      instance.case('no account', { name: 'web' }),
    ],
    fail: [
      instance.case('the default account with all scopes', runningAs(DEFAULT, STORAGE, FULL)),
      instance.case('the same in the singular', {
        name: 'web',
        serviceAccount: [{ email: DEFAULT, scope: [FULL] }],
      }),
    ],
    na: NODES,
    unknown: instance.unknown,
  },
];
