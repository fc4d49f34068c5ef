import type { JsonObject } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const zone = resourceCases('dns.googleapis.com/ManagedZone');

function signedBy(keyType: string, algorithm: string): JsonObject {
  return { visibility: 'public', dnssecConfig: { defaultKeySpecs: [{ keyType, algorithm }] } };
}

function sha1Cases(rule: string, own: string, ownInRest: string, other: string): RuleCases {
  return {
    rule,
    pass: [
      zone.case('a key made with another algorithm', signedBy(own, 'RSASHA256')),
      zone.case('a key made with ECDSA', signedBy(ownInRest, 'ecdsap256sha256')),
      zone.case('the other key made with RSASHA1', signedBy(other, 'RSASHA1')),
      zone.case('a zone that names no keys', { visibility: 'public' }),
    ],
    fail: [
      zone.case('a key made with RSASHA1', signedBy(own, 'RSASHA1')),
      zone.case('the same in the spelling of the REST API', signedBy(ownInRest, 'rsasha1')),
      zone.case('a key made with an unknown algorithm', signedBy(own, 'RSAMD5')),
    ],
    na: [zone.case('a private zone', { ...signedBy(own, 'RSASHA1'), visibility: 'PRIVATE' })],
    unknown: zone.unknown,
  };
}

export const DNS_CASES: readonly RuleCases[] = [
  {
    rule: 'dns-dnssec',
    pass: [
      zone.case('a signed zone', { visibility: 'PUBLIC', dnssecConfig: { state: 'ON' } }),
      zone.case('a signed zone in the spelling of the REST API', {
        visibility: 'public',
        dnssecConfig: { state: 'on' },
      }),
    ],
    fail: [
      zone.case('an unsigned zone', { visibility: 'PUBLIC', dnssecConfig: { state: 'OFF' } }),
      zone.case('a zone in transfer', {
        visibility: 'public',
        dnssecConfig: { state: 'transfer' },
      }),
      zone.case('a zone that says nothing, which is public and unsigned', {}),
    ],
    na: [
      zone.case('a private zone', { visibility: 'private' }),
      zone.case('a private zone in capitals', { visibility: 'PRIVATE' }),
    ],
    unknown: zone.unknown,
  },
  sha1Cases('dns-rsasha1-ksk', 'KEY_SIGNING', 'keySigning', 'ZONE_SIGNING'),
  sha1Cases('dns-rsasha1-zsk', 'ZONE_SIGNING', 'zoneSigning', 'KEY_SIGNING'),
];
