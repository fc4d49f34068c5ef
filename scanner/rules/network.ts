import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isForInstances, keepsFlowLogs, samplesNoFlow } from '../facts/subnetwork.ts';
import { set } from '../fixes/set.ts';
import { child, isTrue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const NETWORK = ['compute.googleapis.com/Network'];
const UPDATE = 'compute networks subnets update {name} --region={region} --project={project}';
const SUBNETWORK = ['compute.googleapis.com/Subnetwork'];

const netDefault = resourceRule(
  {
    id: 'net-default',
    title: 'Default network exists',
    severity: 'medium',
    category: 'network',
    assetTypes: NETWORK,
    description:
      'The network named default is created with every project: it has subnetworks in all regions and firewall rules that allow SSH, RDP and ICMP from anywhere. It is not designed for the workloads of the project.',
    remediation:
      'Move its users to your own network, delete its firewall rules, then the network: `gcloud compute firewall-rules delete RULES --project=PROJECT`; `gcloud compute networks delete default --project=PROJECT`.',
    compliance: cis({ v4: '3.1', v5: '3.1' }),
    noFix: 'the network must be deleted',
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
      'A legacy network has one address range for all regions and no subnetworks: no flow logs, no Private Google Access, no private clusters, and no segmentation.',
    remediation:
      'Move its users to a VPC network and delete it: `gcloud compute networks create NETWORK --subnet-mode=custom`; `gcloud compute networks delete LEGACY`.',
    compliance: cis({ v4: '3.2', v5: '3.2' }),
    noFix: 'the network must be replaced and deleted',
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

const BILLED = 'Flow logs are billed by their volume, which can be large.';

const enableFlowLogs = set(
  { 'logConfig.enable': true },
  {
    gcloud: `${UPDATE} --enable-flow-logs`,
    terraform: { google_compute_subnetwork: { 'log_config.metadata': 'INCLUDE_ALL_METADATA' } },
    caution: BILLED,
  },
);

/** The default of the API. */
const FLOW_SAMPLING = 0.5;

const enableSampledFlowLogs = set(
  { 'logConfig.enable': true, 'logConfig.flowSampling': FLOW_SAMPLING },
  {
    gcloud: `${UPDATE} --enable-flow-logs --logging-flow-sampling=${FLOW_SAMPLING}`,
    terraform: {
      google_compute_subnetwork: {
        'log_config.metadata': 'INCLUDE_ALL_METADATA',
        'log_config.flow_sampling': FLOW_SAMPLING,
      },
    },
    caution: BILLED,
  },
);

const subnetFlowLogs = resourceRule(
  {
    id: 'subnet-flow-logs',
    title: 'VPC flow logs are disabled for a subnetwork',
    severity: 'medium',
    category: 'network',
    assetTypes: SUBNETWORK,
    description:
      'Flow logs show who communicated with whom in the subnetwork. With a sampling rate of 0 nothing is logged. Subnetworks without instances (for load balancer proxies, published services, Private NAT and migrations) are not checked. Configurations of the Network Management API, which can log a whole network, are not evaluated.',
    remediation:
      'Enable flow logs: `gcloud compute networks subnets update SUBNET --region=REGION --enable-flow-logs`.',
    compliance: cis({ v4: '3.8', v5: '3.10' }),
    fix: (repair) =>
      samplesNoFlow(repair.data) ? enableSampledFlowLogs(repair) : enableFlowLogs(repair),
  },
  (subnetwork) => {
    if (!isForInstances(subnetwork)) return NOT_APPLICABLE;
    if (keepsFlowLogs(subnetwork)) return PASS;
    const settings = child(subnetwork, 'logConfig');
    if (isTrue(settings, 'enable') && samplesNoFlow(subnetwork)) {
      return fail({
        message:
          'The flow logs of this subnetwork have a sampling rate of 0, so nothing is logged.',
        evidence: [cite('logConfig.flowSampling', 0)],
      });
    }
    return fail({
      message: 'This subnetwork has no flow logs.',
      evidence: [
        cite('logConfig.enable', settings?.enable),
        cite('enableFlowLogs', subnetwork.enableFlowLogs),
      ],
    });
  },
);

const enablePrivateGoogleAccess = set(
  { privateIpGoogleAccess: true },
  {
    gcloud: `${UPDATE} --enable-private-ip-google-access`,
    terraform: { google_compute_subnetwork: { private_ip_google_access: true } },
  },
);

const subnetPrivateGoogleAccess = resourceRule(
  {
    id: 'subnet-private-google-access',
    title: 'Private Google Access is disabled for a subnetwork',
    severity: 'low',
    category: 'network',
    assetTypes: SUBNETWORK,
    description:
      'With Private Google Access, instances reach Google APIs without an external address. Without it they need one, which makes them reachable for others.',
    remediation:
      'Enable it: `gcloud compute networks subnets update SUBNET --region=REGION --enable-private-ip-google-access`.',
    compliance: NO_REQUIREMENT,
    fix: (repair) => {
      if (!isForInstances(repair.data)) {
        repair.refuse('Private Google Access does not apply to the purpose of the subnetwork');
      }
      enablePrivateGoogleAccess(repair);
    },
  },
  (subnetwork) => {
    if (isTrue(subnetwork, 'privateIpGoogleAccess')) return PASS;
    return fail({
      message:
        'Instances in this subnetwork can reach Google APIs only through external addresses.',
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
