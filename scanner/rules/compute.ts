import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { externalAddressesOf, isGkeNode } from '../facts/instance.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const vmPublicIp = resourceRule(
  {
    id: 'vm-public-ip',
    title: 'Instance has a public address',
    severity: 'medium',
    category: 'compute',
    assetTypes: ['compute.googleapis.com/Instance'],
    description:
      'An instance with an external address is one firewall rule away from the internet. Load balancers, Cloud NAT and Identity-Aware Proxy serve without one. Nodes of GKE are judged with their cluster.',
    remediation:
      'Put what it serves behind a load balancer and remove the access configuration: gcloud compute instances delete-access-config INSTANCE --zone=ZONE.',
    compliance: cis({ v4: '4.9', v5: '4.9' }),
  },
  (instance, { name }) => {
    if (isGkeNode(instance, name)) return NOT_APPLICABLE;
    const addresses = externalAddressesOf(instance);
    const [first] = addresses;
    if (first === undefined) return PASS;
    return fail({
      message:
        first.address === null
          ? 'The instance gets a public address whenever it starts.'
          : `The instance has the public address ${first.address}.`,
      evidence: addresses.map(({ path, address }) => cite(path, address)),
    });
  },
);

export const COMPUTE_RULES: readonly Rule[] = [vmPublicIp];
