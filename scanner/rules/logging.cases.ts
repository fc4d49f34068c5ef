import type { Asset } from '../inventory/normalise.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const NETWORK = 'compute.googleapis.com/Network';

const network = (name = 'shop', ...ancestors: readonly string[]) =>
  assetOf({
    type: NETWORK,
    name: `//compute.googleapis.com/projects/p/global/networks/${name}`,
    ancestors,
    data: { name },
  });

function policy(enableLogging: JsonValue, ...urls: readonly string[]): Asset {
  return assetOf({
    type: 'dns.googleapis.com/Policy',
    name: `//dns.googleapis.com/projects/p/policies/${urls.length}`,
    data: { enableLogging, networks: urls.map((networkUrl) => ({ networkUrl })) },
  });
}

const BARE_POLICY = assetOf({
  type: 'dns.googleapis.com/Policy',
  name: '//dns.googleapis.com/projects/p/policies/bare',
});

const SHOP = 'https://www.googleapis.com/compute/v1/projects/p/global/networks/shop';
const OTHER = 'https://www.googleapis.com/compute/v1/projects/p/global/networks/other';

function service(name: string, data: JsonObject, ...ancestors: readonly string[]): Asset {
  return assetOf({
    type: 'serviceusage.googleapis.com/Service',
    name: `//serviceusage.googleapis.com/${name}`,
    ancestors,
    data,
  });
}

const assetApi = (state: string, project = 'projects/1') =>
  service(`${project}/services/cloudasset.googleapis.com`, { state }, project);

export const LOGGING_CASES: readonly RuleCases[] = [
  {
    rule: 'dns-logging-all-vpcs',
    pass: [
      { name: 'a policy that logs', asset: network(), others: [policy(true, OTHER, SHOP)] },
      {
        name: 'a policy that logs beside one that does not',
        asset: network(),
        others: [policy(false, SHOP), policy(true, OTHER, SHOP)],
      },
      {
        name: 'a policy that logs beside one whose export has only its name',
        asset: network(),
        others: [BARE_POLICY, policy(true, SHOP)],
      },
      {
        name: 'a policy that names the network by another URL',
        asset: network(),
        others: [
          policy(
            true,
            'https://compute.googleapis.com/compute/beta/projects/p/global/networks/shop',
          ),
        ],
      },
      {
        name: 'a policy that names the network by the number of the project',
        asset: network('shop', 'projects/1'),
        others: [policy(true, 'projects/1/global/networks/shop')],
      },
    ],
    fail: [
      { name: 'a policy that does not log', asset: network(), others: [policy(false, SHOP)] },
      { name: 'a policy that does not say', asset: network(), others: [policy(null, SHOP)] },
      { name: 'a policy for other networks', asset: network(), others: [policy(true, OTHER)] },
      { name: 'a policy for none', asset: network(), others: [policy(true)] },
      {
        name: 'a policy for a network whose name only begins so',
        asset: network('shop'),
        others: [policy(true, `${SHOP}-2`)],
      },
      {
        name: 'a policy for the network of that name in another project',
        asset: network(),
        others: [policy(true, SHOP.replace('projects/p', 'projects/q'))],
      },
    ],
    na: 'never',
    unknown: [
      ...resourceCases(NETWORK).unknown,
      { name: 'an export without DNS policies', asset: network() },
      {
        name: 'a DNS policy whose export has only its name',
        asset: network(),
        others: [policy(true, OTHER), BARE_POLICY],
      },
    ],
  },
  {
    rule: 'cai-api-enabled',
    pass: [
      { name: 'the API enabled', others: [assetApi('ENABLED')] },
      {
        name: 'the API enabled among others',
        others: [
          service('projects/1/services/run.googleapis.com', { state: 'DISABLED' }),
          assetApi('enabled'),
        ],
      },
      {
        name: 'a project beside one without it',
        others: [assetApi('ENABLED', 'projects/1'), assetApi('DISABLED', 'projects/2')],
        project: '//cloudresourcemanager.googleapis.com/projects/1',
      },
    ],
    fail: [
      { name: 'the API disabled', others: [assetApi('DISABLED')] },
      { name: 'the API in no known state', others: [assetApi('STATE_UNSPECIFIED')] },
      {
        name: 'other APIs only',
        others: [service('projects/1/services/run.googleapis.com', { state: 'ENABLED' })],
      },
      {
        name: 'an API whose name only ends so',
        others: [service('projects/1/services/xcloudasset.googleapis.com', { state: 'ENABLED' })],
      },
      {
        name: 'a project beside one with it',
        others: [assetApi('ENABLED', 'projects/1'), assetApi('DISABLED', 'projects/2')],
        project: '//cloudresourcemanager.googleapis.com/projects/2',
      },
    ],
    na: 'never',
    unknown: [{ name: 'an export without services', others: [network()] }],
  },
];
