import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isCloudAssetApi } from '../facts/enabled-service.ts';
import { isEnum } from '../facts/enumeration.ts';
import { isTrue, objects, text } from '../json.ts';
import { fail, PASS, unknownWithout } from '../outcome.ts';
import { canonicalReference, References, someKnown } from '../references.ts';
import type { Rule } from '../rule.ts';
import { projectRule, resourceRule } from '../rule-kinds.ts';
import type { Snapshot } from '../snapshot.ts';

const DNS_POLICY = ['dns.googleapis.com/Policy'];
const SERVICE = 'serviceusage.googleapis.com/Service';

const dnsLoggingAllVpcs = resourceRule(
  {
    id: 'dns-logging-all-vpcs',
    title: 'DNS queries of a network are not logged',
    severity: 'medium',
    category: 'logging',
    assetTypes: ['compute.googleapis.com/Network'],
    description:
      'Malware asks for the names of its masters, and data leaves in the names that are asked for. Every VPC network should be bound to a DNS server policy that logs its queries.',
    remediation:
      'Create a policy for the network, or update the one that it has: gcloud dns policies create POLICY --networks=NETWORK --enable-logging --description=TEXT.',
    compliance: cis({ v4: '2.12', v5: '2.13' }),
  },
  (_network, asset, context) => {
    const missing = unknownWithout(context, DNS_POLICY);
    if (missing !== null) return missing;
    const { snapshot } = context;
    const self = canonicalReference(asset.name, asset, snapshot);
    const policies = snapshot.derive(dnsPoliciesOf);
    if (policies.some(self, ({ data }) => isTrue(data, 'enableLogging'))) return PASS;
    return fail({
      message: policies.some(self)
        ? 'The DNS policy of this network does not log queries.'
        : 'No DNS policy is bound to this network, so its queries are not logged.',
      evidence: [cite('enableLogging', policies.some(self) ? false : null)],
    });
  },
);

function dnsPoliciesOf(snapshot: Snapshot): References {
  return new References(snapshot, DNS_POLICY, ({ data }) =>
    objects(data, 'networks', 'network').flatMap((network) => text(network, 'networkUrl') ?? []),
  );
}

const caiApiEnabled = projectRule(
  {
    id: 'cai-api-enabled',
    title: 'Cloud Asset API is not enabled',
    severity: 'low',
    category: 'logging',
    assetTypes: [SERVICE],
    description:
      'Cloud Asset Inventory keeps five weeks of what existed and how it was set, which is what one asks first after an incident. It needs its API enabled in the project.',
    remediation: 'Enable it: gcloud services enable cloudasset.googleapis.com --project=PROJECT.',
    compliance: cis({ v4: '2.13', v5: '2.14' }),
  },
  (project) => {
    const services = project.own(SERVICE).filter(isCloudAssetApi);
    if (someKnown(services, ({ data }) => isEnum(data?.state, 'ENABLED'))) return PASS;
    return fail({
      message: 'cloudasset.googleapis.com is not among the enabled services of the project.',
      evidence: [cite('state', services[0]?.data?.state)],
    });
  },
);

export const LOGGING_RULES: readonly Rule[] = [caiApiEnabled, dnsLoggingAllVpcs];
