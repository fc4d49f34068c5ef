import type { JsonObject } from '../json.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const cluster = resourceCases('container.googleapis.com/Cluster');

type Some<T> = readonly [T, ...T[]];

/** Builds the cases of a rule from the settings of one pool. */
interface PoolCases {
  readonly rule: string;
  readonly pass: Some<JsonObject>;
  readonly fail: Some<JsonObject>;
}

function casesOf({ rule, pass, fail }: PoolCases): RuleCases {
  const [good, ...moreGood] = pass;
  const [bad, ...moreBad] = fail;
  const nodePools = [
    { name: 'good', ...good },
    { name: 'bad', ...bad },
    { name: '', ...bad },
  ];
  return {
    rule,
    pass: [caseOf(good), ...moreGood.map(caseOf)],
    fail: [
      caseOf(bad),
      ...moreBad.map(caseOf),
      {
        ...cluster.case('each pool that is not as it should be', { nodePools }),
        findings: [{ subject: 'bad' }, { subject: '2' }],
      },
    ],
    na: [
      cluster.case('a cluster without pools', { nodePools: [] }),
      cluster.case('a cluster that does not mention pools', { autopilot: { enabled: true } }),
    ],
    unknown: cluster.unknown,
  };
}

function caseOf(pool: JsonObject): RuleCase {
  return cluster.case(`a pool with ${JSON.stringify(pool)}`, {
    nodePools: [{ name: 'pool-1', ...pool }],
  });
}

const shielded = (shieldedInstanceConfig: JsonObject) => ({ config: { shieldedInstanceConfig } });
const management = (settings: JsonObject) => ({ management: settings });
const metadata = (items: JsonObject) => ({ config: { metadata: items } });
const image = (imageType: string) => ({ config: { imageType } });
const account = (serviceAccount: string) => ({ config: { serviceAccount } });

const OWN = 'gke-nodes@shop-prod.iam.gserviceaccount.com';
const DEFAULT = '482915036174-compute@developer.gserviceaccount.com';

const DEFAULT_SA = casesOf({
  rule: 'gke-default-sa',
  pass: [account(OWN)],
  fail: [account(DEFAULT), account('default'), account(''), { config: {} }, {}],
});

export const GKE_NODE_POOL_CASES: readonly RuleCases[] = [
  casesOf({
    rule: 'gke-secure-boot',
    pass: [shielded({ enableSecureBoot: true })],
    fail: [
      shielded({ enableSecureBoot: false, enableIntegrityMonitoring: true }),
      shielded({}),
      { config: {} },
      {},
    ],
  }),
  casesOf({
    rule: 'gke-integrity-monitoring',
    pass: [shielded({ enableIntegrityMonitoring: true })],
    fail: [
      shielded({ enableIntegrityMonitoring: false, enableSecureBoot: true }),
      shielded({}),
      { config: {} },
      {},
    ],
  }),
  casesOf({
    rule: 'gke-node-auto-upgrade',
    pass: [management({ autoUpgrade: true })],
    fail: [management({ autoUpgrade: false, autoRepair: true }), management({}), {}],
  }),
  casesOf({
    rule: 'gke-node-auto-repair',
    pass: [management({ autoRepair: true })],
    fail: [management({ autoRepair: false, autoUpgrade: true }), management({}), {}],
  }),
  casesOf({
    rule: 'gke-legacy-metadata',
    pass: [
      metadata({ 'disable-legacy-endpoints': 'true' }),
      metadata({ 'disable-legacy-endpoints': 'TRUE' }),
      metadata({ 'disable-legacy-endpoints': true }),
    ],
    fail: [
      metadata({ 'disable-legacy-endpoints': 'false' }),
      metadata({ disable_legacy_endpoints: 'true' }),
      metadata({}),
      { config: {} },
      {},
    ],
  }),
  casesOf({
    rule: 'gke-cos-image',
    pass: [image('COS'), image('COS_CONTAINERD'), image('cos_containerd'), { config: {} }, {}],
    fail: [
      image('UBUNTU'),
      image('UBUNTU_CONTAINERD'),
      image('ubuntu_containerd'),
      image('WINDOWS_LTSC_CONTAINERD'),
      image('CO'),
      image('COSMOS'),
    ],
  }),
  {
    ...DEFAULT_SA,
    pass: [
      ...DEFAULT_SA.pass,
      cluster.case('a pool of its own account beside a deprecated default', {
        nodeConfig: { serviceAccount: 'default' },
        nodePools: [{ name: 'pool-1', ...account(OWN) }],
      }),
      cluster.case('a deprecated account where there are no pools', {
        nodeConfig: { serviceAccount: OWN },
      }),
    ],
    fail: [
      ...DEFAULT_SA.fail,
      {
        ...cluster.case('a deprecated default where there are no pools', {
          nodeConfig: { serviceAccount: 'default' },
          nodePools: [],
        }),
        findings: [{ subject: '' }],
      },
      cluster.case('a deprecated configuration without an account', { nodeConfig: {} }),
    ],
  },
];
