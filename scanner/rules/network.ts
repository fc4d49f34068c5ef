import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { canKeepFlowLogs, keepsFlowLogs } from '../facts/subnetwork.ts';
import { child, isTrue } from '../json.ts';
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
  (network) => {
    if (network.name !== 'default') return PASS;
    return fail({
      message: 'The project still has its default network.',
      evidence: [cite('name', network.name)],
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
  subnetFlowLogs,
  subnetPrivateGoogleAccess,
];
