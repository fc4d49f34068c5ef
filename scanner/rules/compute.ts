import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { externalAddressesOf, isGkeNode } from '../facts/instance.ts';
import type { Repair } from '../fixes/repair.ts';
import { isObject, items, objects, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

const vmPublicIp = resourceRule(
  {
    id: 'vm-public-ip',
    title: 'Instance has a public IP address',
    severity: 'medium',
    category: 'compute',
    assetTypes: ['compute.googleapis.com/Instance'],
    description:
      'An instance with an external IP address is protected from the internet only by firewall rules. Load balancers, Cloud NAT and Identity-Aware Proxy work without one. GKE nodes are checked with their cluster.',
    remediation:
      'Put its services behind a load balancer and remove the access configuration: `gcloud compute instances delete-access-config INSTANCE --zone=ZONE --access-config-name=NAME`.',
    compliance: cis({ v4: '4.9', v5: '4.9' }),
    fix: removeAddresses,
  },
  (instance, { name }) => {
    if (isGkeNode(instance, name)) return NOT_APPLICABLE;
    const addresses = externalAddressesOf(instance);
    const [first] = addresses;
    if (first === undefined) return PASS;
    return fail({
      message:
        first.address === null
          ? 'The instance gets a public IP address whenever it starts.'
          : `The instance has the public IP address ${first.address}.`,
      evidence: addresses.map(({ path, address }) => cite(path, address)),
    });
  },
);

const INTERFACE = '{name} --zone={zone} --project={project} --network-interface={nic}';

function removeAddresses(repair: Repair): void {
  for (const spelling of ['networkInterfaces', 'networkInterface']) {
    items(repair.data, spelling).forEach((nic, index) => {
      if (!isObject(nic)) return;
      const values = { nic: text(nic, 'name') ?? `nic${index}` };
      for (const config of objects(nic, 'accessConfigs', 'accessConfig')) {
        const access = text(config, 'name') ?? 'External NAT';
        repair.gcloud(
          `compute instances delete-access-config ${INTERFACE} --access-config-name={access}`,
          { ...values, access },
        );
      }
      if (objects(nic, 'ipv6AccessConfigs', 'ipv6AccessConfig').length > 0) {
        const update = 'compute instances network-interfaces update';
        repair.gcloud(`${update} ${INTERFACE} --stack-type=IPV4_ONLY`, values);
        repair.terraform('google_compute_instance', 'network_interface.ipv6_access_config', null);
      }
      for (const member of ACCESS_CONFIGS) repair.remove([spelling, index, member]);
    });
  }
  repair.terraform('google_compute_instance', 'network_interface.access_config', null);
  repair.caution(
    'The instance is no longer reachable from the internet, and needs Cloud NAT to reach it.',
  );
}

const ACCESS_CONFIGS = ['accessConfigs', 'accessConfig', 'ipv6AccessConfigs', 'ipv6AccessConfig'];

export const COMPUTE_RULES: readonly Rule[] = [vmPublicIp];
