import { cis, type Requirement } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { isPrivateZone, signsWithSha1 } from '../facts/managed-zone.ts';
import { child } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

const ZONE = ['dns.googleapis.com/ManagedZone'];

const dnsDnssec = resourceRule(
  {
    id: 'dns-dnssec',
    title: 'DNSSEC is off for a public zone',
    severity: 'medium',
    category: 'network',
    assetTypes: ZONE,
    description:
      'Without DNSSEC a resolver cannot tell a forged answer for the zone from a real one. A zone in the state of transfer still answers unsigned to those who validate.',
    remediation:
      'Switch DNSSEC on and enter the DS record at the registrar: gcloud dns managed-zones update ZONE --dnssec-state=on.',
    compliance: cis({ v4: '3.3', v5: '3.3' }),
  },
  (zone) => {
    if (isPrivateZone(zone)) return NOT_APPLICABLE;
    const state = child(zone, 'dnssecConfig')?.state;
    if (isEnum(state, 'ON')) return PASS;
    return fail({
      message: 'DNSSEC is not on for this public zone.',
      evidence: [cite('dnssecConfig.state', state)],
    });
  },
);

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
      description: `The ${noun} key of a zone should not rest on SHA-1, for which collisions can be bought. Resolvers drop support for it.`,
      remediation:
        'Switch DNSSEC off, set another algorithm such as RSASHA256 or ECDSAP256SHA256 for the key, and switch it on again; replace the DS record at the registrar.',
      compliance,
    },
    (zone) => {
      if (isPrivateZone(zone)) return NOT_APPLICABLE;
      if (!signsWithSha1(zone, keyType)) return PASS;
      return fail({
        message: `The ${noun} key of this zone is made with RSASHA1.`,
        evidence: [
          cite('dnssecConfig.defaultKeySpecs[].keyType', keyType),
          cite('dnssecConfig.defaultKeySpecs[].algorithm', 'RSASHA1'),
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
