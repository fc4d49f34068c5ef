import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const TYPE = 'compute.googleapis.com/Instance';
const instance = resourceCases(TYPE);
const exposed = { networkInterfaces: [{ accessConfigs: [{ natIP: '203.0.113.7' }] }] };

export const COMPUTE_CASES: readonly RuleCases[] = [
  {
    rule: 'vm-public-ip',
    pass: [
      instance.case('an instance without external addresses', {
        name: 'db',
        networkInterfaces: [{ networkIP: '10.0.0.2', accessConfigs: [] }],
      }),
      instance.case('an instance that is only named somewhat like a node', { name: 'gkeeper' }),
    ],
    fail: [
      instance.case('an instance with an external address', { name: 'web', ...exposed }),
      instance.case('the same in the singular', {
        name: 'web',
        networkInterface: [{ accessConfig: [{ externalIp: '203.0.113.7' }] }],
      }),
      instance.case('a stopped instance whose address is not assigned yet', {
        name: 'web',
        networkInterfaces: [{ accessConfigs: [{ type: 'ONE_TO_ONE_NAT' }] }],
      }),
      instance.case('an address on the second interface', {
        name: 'web',
        networkInterfaces: [{}, { accessConfigs: [{ natIP: '203.0.113.7' }] }],
      }),
      instance.case('an external IPv6 address', {
        name: 'web',
        networkInterfaces: [{ ipv6AccessConfigs: [{ externalIpv6: '2001:db8::1' }] }],
      }),
    ],
    na: [
      instance.case('a node of GKE by its name', { name: 'gke-shop-pool-1-abcd', ...exposed }),
      instance.case('a node of GKE by its label', {
        name: 'node-7',
        labels: { 'goog-gke-node': '' },
        ...exposed,
      }),
      {
        name: 'a node of GKE by the name of its asset',
        asset: assetOf({
          type: TYPE,
          name: '//compute.googleapis.com/projects/p/zones/z/instances/gke-shop-pool-1-abcd',
          data: exposed,
        }),
      },
    ],
    unknown: instance.unknown,
  },
];
