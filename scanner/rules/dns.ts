import { cis, type Requirement } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { isPrivateZone, isWeakAlgorithm, weakAlgorithmOf } from '../facts/managed-zone.ts';
import type { Repair } from '../fixes/repair.ts';
import { child, isObject, items, type JsonValue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: dns v1, discovery revision 20261009.
 */

const ZONE = ['dns.googleapis.com/ManagedZone'];

const dnsDnssec = resourceRule(
  {
    id: 'dns-dnssec',
    title: 'DNSSEC is off for a public zone',
    severity: 'medium',
    category: 'network',
    assetTypes: ZONE,
    description:
      'Without DNSSEC a resolver cannot distinguish a forged answer for the zone from a real one. A zone in the state transfer still sends unsigned answers to validating resolvers.',
    remediation:
      'Enable DNSSEC and enter the DS record at the registrar: `gcloud dns managed-zones update ZONE --dnssec-state=on`.',
    compliance: cis({ v4: '3.3', v5: '3.3' }),
    fix: (repair) => {
      repair.set('dnssecConfig.state', spelledAs(child(repair.data, 'dnssecConfig')?.state, 'ON'));
      updateZone(repair, '--dnssec-state=on');
      repair.terraform('google_dns_managed_zone', 'dnssec_config.state', 'on');
      repair.caution('Enter the DS record at the registrar afterwards.');
    },
  },
  (zone) => {
    if (isPrivateZone(zone)) return NOT_APPLICABLE;
    const state = child(zone, 'dnssecConfig')?.state;
    if (isEnum(state, 'ON')) return PASS;
    return fail({
      message: 'DNSSEC is not enabled for this public zone.',
      evidence: [cite('dnssecConfig.state', state)],
    });
  },
);

/** Exports write names of the API in capitals, its own answers in lower case. */
function spelledAs(present: JsonValue | undefined, name: string): string {
  return typeof present === 'string' && /^[a-z0-9]+$/.test(present) ? name.toLowerCase() : name;
}

/** Names of assets have the number of a zone, but gcloud takes its name. */
function updateZone(repair: Repair, options: string): void {
  const name = text(repair.data, 'name') ?? repair.part('name');
  repair.gcloud(`dns managed-zones update {name} --project={project} ${options}`, { name });
}

const STRONG = 'rsasha256';

/** Replaces every weak algorithm, because both keys of a zone must have the same. */
function useRsaSha256(repair: Repair): void {
  const specs = items(child(repair.data, 'dnssecConfig'), 'defaultKeySpecs');
  specs.forEach((spec, index) => {
    if (!isObject(spec) || !isWeakAlgorithm(spec)) return;
    const path = ['dnssecConfig', 'defaultKeySpecs', index, 'algorithm'];
    repair.set(path, spelledAs(spec.algorithm, STRONG.toUpperCase()));
  });
  updateZone(repair, '--dnssec-state=off');
  updateZone(repair, `--dnssec-state=on --ksk-algorithm=${STRONG} --zsk-algorithm=${STRONG}`);
  for (const key_type of ['keySigning', 'zoneSigning']) {
    const attribute = 'dnssec_config.default_key_specs.algorithm';
    repair.terraform('google_dns_managed_zone', attribute, STRONG, { key_type });
  }
  repair.caution(
    'Remove the DS record at the registrar first, and enter the new one afterwards; until then the zone is not signed.',
  );
}

interface Sha1Key {
  readonly id: string;
  readonly keyType: 'KEY_SIGNING' | 'ZONE_SIGNING';
  readonly noun: string;
  readonly compliance: readonly Requirement[];
}

function sha1Rule({ id, keyType, noun, compliance }: Sha1Key): Rule {
  return resourceRule(
    {
      id,
      title: `DNSSEC ${noun} key uses RSASHA1`,
      severity: 'medium',
      category: 'network',
      assetTypes: ZONE,
      description: `The ${noun} key of a zone should not use SHA-1, for which collisions are practical. Resolvers are dropping support for it.`,
      remediation:
        'Disable DNSSEC, set another algorithm such as RSASHA256 or ECDSAP256SHA256 for the key, and enable DNSSEC again; replace the DS record at the registrar.',
      compliance,
      fix: useRsaSha256,
    },
    (zone) => {
      if (isPrivateZone(zone)) return NOT_APPLICABLE;
      const algorithm = weakAlgorithmOf(zone, keyType);
      if (algorithm === null) return PASS;
      return fail({
        message:
          algorithm === 'RSASHA1'
            ? `The ${noun} key of this zone uses RSASHA1.`
            : `The ${noun} key of this zone uses an algorithm that is not known to be strong.`,
        evidence: [
          cite('dnssecConfig.defaultKeySpecs[].keyType', keyType),
          cite('dnssecConfig.defaultKeySpecs[].algorithm', algorithm),
        ],
      });
    },
  );
}

export const DNS_RULES: readonly Rule[] = [
  dnsDnssec,
  sha1Rule({
    id: 'dns-rsasha1-ksk',
    keyType: 'KEY_SIGNING',
    noun: 'key-signing',
    compliance: cis({ v4: '3.4', v5: '3.4' }),
  }),
  sha1Rule({
    id: 'dns-rsasha1-zsk',
    keyType: 'ZONE_SIGNING',
    noun: 'zone-signing',
    compliance: cis({ v4: '3.5', v5: '3.5' }),
  }),
];
