import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isCloudAssetApi } from '../facts/enabled-service.ts';
import { isEnum } from '../facts/enumeration.ts';
import type { Asset } from '../inventory/normalise.ts';
import { isTrue, objects, text } from '../json.ts';
import { fail, PASS, unknown, unknownWithout } from '../outcome.ts';
import { canonicalReference, References, someKnown } from '../references.ts';
import type { Rule } from '../rule.ts';
import { projectRule, resourceRule } from '../rule-kinds.ts';
import type { Snapshot } from '../snapshot.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 * Fields: dns v1, discovery revision 20261009.
 * Fields: serviceusage v1, discovery revision 20260921.
 */

const DNS_POLICY = 'dns.googleapis.com/Policy';
const SERVICE = 'serviceusage.googleapis.com/Service';

const dnsLoggingAllVpcs = resourceRule(
  {
    id: 'dns-logging-all-vpcs',
    title: 'DNS queries of a network are not logged',
    severity: 'medium',
    category: 'logging',
    assetTypes: ['compute.googleapis.com/Network'],
    description:
      'Malware resolves the names of its control servers, and data can be exfiltrated in DNS queries. Every VPC network should have a DNS server policy that logs queries.',
    remediation:
      'Create a policy for the network, or update the existing one: `gcloud dns policies create POLICY --networks=NETWORK --enable-logging --description=TEXT`; `gcloud dns policies update POLICY --enable-logging`.',
    compliance: cis({ v4: '2.12', v5: '2.13' }),
    noFix: 'needs a DNS policy, which is another asset',
  },
  (_network, asset, context) => {
    const missing = unknownWithout(context, [DNS_POLICY]);
    if (missing !== null) return missing;
    const { snapshot } = context;
    const self = canonicalReference(asset.name, asset, snapshot);
    const policies = snapshot.derive(dnsPoliciesOf);
    if (policies.some(self, isLogging)) return PASS;
    if (policies.isIncomplete) return unknown(DNS_POLICY);
    return fail({
      message: policies.some(self)
        ? 'The DNS policy of this network does not log queries.'
        : 'This network has no DNS policy, so its queries are not logged.',
      evidence: [cite('enableLogging', policies.some(self) ? false : null)],
    });
  },
);

function isLogging({ data }: Asset): boolean {
  return isTrue(data, 'enableLogging');
}

function dnsPoliciesOf(snapshot: Snapshot): References {
  return new References(snapshot, [DNS_POLICY], ({ data }) =>
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
      'Cloud Asset Inventory keeps a history of five weeks of resources and their settings, which is essential after an incident. Its API must be enabled in the project.',
    remediation: 'Enable it: `gcloud services enable cloudasset.googleapis.com --project=PROJECT`.',
    compliance: cis({ v4: '2.13', v5: '2.14' }),
    noFix: 'the API is another asset, which a command enables',
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
