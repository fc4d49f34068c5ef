import { assetOf } from '../testing/asset.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const network = resourceCases('compute.googleapis.com/Network');
const subnetwork = resourceCases('compute.googleapis.com/Subnetwork');

export const NETWORK_CASES: readonly RuleCases[] = [
  {
    rule: 'net-default',
    pass: [
      network.case('a network of another name', { name: 'shop' }),
      network.case('a network whose name only begins so', { name: 'default-2' }),
    ],
    fail: [
      network.case('the network named default', { name: 'default' }),
      {
        name: 'the network named default, by its asset',
        asset: assetOf({
          type: 'compute.googleapis.com/Network',
          name: '//compute.googleapis.com/projects/p/global/networks/default',
          data: { autoCreateSubnetworks: true },
        }),
      },
    ],
    na: 'never',
    unknown: network.unknown,
  },
  {
    rule: 'net-legacy',
    pass: [
      network.case('a VPC network', { name: 'shop', autoCreateSubnetworks: false }),
      network.case('a network whose range is empty', { name: 'shop', IPv4Range: '' }),
    ],
    fail: [
      network.case('a network with a range of its own', { IPv4Range: '10.240.0.0/16' }),
      network.case('the same in the spelling of exports', { ipv4Range: '10.240.0.0/16' }),
    ],
    na: 'never',
    unknown: network.unknown,
  },
  {
    rule: 'subnet-flow-logs',
    pass: [
      subnetwork.case('flow logs switched on', { logConfig: { enable: true } }),
      subnetwork.case('flow logs switched on by the older field', { enableFlowLogs: true }),
      subnetwork.case('flow logs of some flows', {
        logConfig: { enable: true, flowSampling: 0.1 },
      }),
    ],
    fail: [
      subnetwork.case('flow logs switched off', {
        logConfig: { enable: false },
        enableFlowLogs: false,
      }),
      subnetwork.case('flow logs never mentioned', { purpose: 'PRIVATE' }),
      subnetwork.case('flow logs of no flow', {
        enableFlowLogs: true,
        logConfig: { enable: true, flowSampling: 0 },
      }),
    ],
    na: [
      subnetwork.case('a proxy-only subnetwork', { purpose: 'REGIONAL_MANAGED_PROXY' }),
      subnetwork.case('a cross-region proxy subnetwork', { purpose: 'GLOBAL_MANAGED_PROXY' }),
      subnetwork.case('a subnetwork of the older load balancers', {
        purpose: 'INTERNAL_HTTPS_LOAD_BALANCER',
      }),
      subnetwork.case('a subnetwork of published services', { purpose: 'PRIVATE_SERVICE_CONNECT' }),
      subnetwork.case('a subnetwork of Private NAT', { purpose: 'PRIVATE_NAT' }),
      subnetwork.case('a subnetwork in migration', { purpose: 'PEER_MIGRATION' }),
    ],
    unknown: subnetwork.unknown,
  },
  {
    rule: 'subnet-private-google-access',
    pass: [subnetwork.case('access switched on', { privateIpGoogleAccess: true })],
    fail: [
      subnetwork.case('access switched off', { privateIpGoogleAccess: false }),
      subnetwork.case('access never mentioned', {}),
    ],
    na: 'never',
    unknown: subnetwork.unknown,
  },
];
