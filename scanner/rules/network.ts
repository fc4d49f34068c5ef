import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { canKeepFlowLogs, keepsFlowLogs } from '../facts/subnetwork.ts';
import { child, isTrue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const NETWORK = ['compute.googleapis.com/Network'];
const SUBNETWORK = ['compute.googleapis.com/Subnetwork'];

const netDefault = resourceRule(
  {
    id: 'net-default',
    title: 'Default network exists',
    severity: 'medium',
    category: 'network',
    assetTypes: NETWORK,
    description:
      'The network named default comes with every project: subnetworks in all regions and firewall rules that admit SSH, RDP and ICMP from anywhere. Nobody designed it for what runs in it.',
    remediation:
      'Move what uses it to a network of your own, delete its firewall rules, then the network: gcloud compute networks delete default.',
    compliance: cis({ v4: '3.1', v5: '3.1' }),
  },
  (network, asset) => {
    const name = text(network, 'name') ?? asset.name.slice(asset.name.lastIndexOf('/') + 1);
    if (name !== 'default') return PASS;
    return fail({
      message: 'The project still has its default network.',
      evidence: [cite('name', name)],
    });
  },
);

const netLegacy = resourceRule(
  {
    id: 'net-legacy',
    title: 'Legacy network exists',
    severity: 'high',
    category: 'network',
    assetTypes: NETWORK,
    description:
      'A legacy network has one range of addresses for all regions and no subnetworks: no flow logs, no Private Google Access, no private clusters, and nothing between one machine and another.',
    remediation:
      'Move what uses it to a VPC network and delete it: gcloud compute networks create NETWORK --subnet-mode=custom; gcloud compute networks delete LEGACY.',
    compliance: cis({ v4: '3.2', v5: '3.2' }),
  },
  (network) => {
    const range = text(network, 'IPv4Range') ?? text(network, 'ipv4Range');
    if (range === null) return PASS;
    return fail({
      message: `This is a legacy network, with the range ${range} and without subnetworks.`,
      evidence: [cite('IPv4Range', range)],
    });
  },
);

const subnetFlowLogs = resourceRule(
  {
    id: 'subnet-flow-logs',
    title: 'VPC flow logs are off for a subnetwork',
    severity: 'medium',
    category: 'network',
    assetTypes: SUBNETWORK,
    description:
      'Without flow logs nobody can tell afterwards who talked to whom in the subnetwork. Subnetworks for the proxies of load balancers and for published services keep none.',
    remediation:
      'Switch flow logs on: gcloud compute networks subnets update SUBNET --region=REGION --enable-flow-logs.',
    compliance: cis({ v4: '3.8', v5: '3.10' }),
  },
  (subnetwork) => {
    if (!canKeepFlowLogs(subnetwork)) return NOT_APPLICABLE;
    if (keepsFlowLogs(subnetwork)) return PASS;
    return fail({
      message: 'This subnetwork keeps no flow logs.',
      evidence: [
        cite('logConfig.enable', child(subnetwork, 'logConfig')?.enable),
        cite('enableFlowLogs', subnetwork.enableFlowLogs),
      ],
    });
  },
);

const subnetPrivateGoogleAccess = resourceRule(
  {
    id: 'subnet-private-google-access',
    title: 'Private Google Access is off for a subnetwork',
    severity: 'low',
    category: 'network',
    assetTypes: SUBNETWORK,
    description:
      'With Private Google Access, instances reach Google APIs without an external address. Without it they are given one, which others can reach too.',
    remediation:
      'Switch it on: gcloud compute networks subnets update SUBNET --region=REGION --enable-private-ip-google-access.',
    compliance: NO_REQUIREMENT,
  },
  (subnetwork) => {
    if (isTrue(subnetwork, 'privateIpGoogleAccess')) return PASS;
    return fail({
      message: 'Instances in this subnetwork reach Google APIs through external addresses only.',
      evidence: [cite('privateIpGoogleAccess', subnetwork.privateIpGoogleAccess)],
    });
  },
);

export const NETWORK_RULES: readonly Rule[] = [
  netDefault,
  netLegacy,
  subnetFlowLogs,
  subnetPrivateGoogleAccess,
];
