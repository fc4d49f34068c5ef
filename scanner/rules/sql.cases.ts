import type { JsonObject } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const instance = resourceCases('sqladmin.googleapis.com/Instance');

function configured(ipConfiguration: JsonObject): JsonObject {
  return { settings: { ipConfiguration } };
}

function admitting(...values: readonly string[]): JsonObject {
  return configured({ authorizedNetworks: values.map((value) => ({ value })) });
}

export const SQL_CASES: readonly RuleCases[] = [
  {
    rule: 'sql-backup',
    pass: [
      instance.case('backups switched on', {
        settings: { backupConfiguration: { enabled: true } },
      }),
    ],
    fail: [
      instance.case('backups switched off', {
        instanceType: 'CLOUD_SQL_INSTANCE',
        settings: { backupConfiguration: { enabled: false } },
      }),
      instance.case('backups never mentioned', {}),
    ],
    na: [instance.case('a read replica', { instanceType: 'READ_REPLICA_INSTANCE' })],
    unknown: instance.unknown,
  },
  {
    rule: 'sql-public-ip',
    pass: [
      instance.case('a private address alone', {
        ...configured({ ipv4Enabled: false, privateNetwork: 'projects/p/global/networks/n' }),
        ipAddresses: [{ type: 'PRIVATE', ipAddress: '10.0.0.3' }],
      }),
      instance.case('addresses never mentioned', {}),
    ],
    fail: [
      instance.case('a public address switched on', configured({ ipv4Enabled: true })),
      instance.case('a public address in use', {
        ipAddresses: [
          { type: 'PRIVATE', ipAddress: '10.0.0.3' },
          { type: 'PRIMARY', ipAddress: '203.0.113.7' },
        ],
      }),
      instance.case('a public address of a read replica', {
        instanceType: 'READ_REPLICA_INSTANCE',
        ...configured({ ipv4Enabled: true }),
      }),
    ],
    na: 'never',
    unknown: instance.unknown,
  },
  {
    rule: 'sql-ssl',
    pass: [
      instance.case('ENCRYPTED_ONLY without requireSsl', configured({ sslMode: 'ENCRYPTED_ONLY' })),
      instance.case(
        'ENCRYPTED_ONLY against requireSsl false',
        configured({ sslMode: 'ENCRYPTED_ONLY', requireSsl: false }),
      ),
      instance.case(
        'client certificates asked for',
        configured({ sslMode: 'TRUSTED_CLIENT_CERTIFICATE_REQUIRED' }),
      ),
      instance.case('requireSsl without a mode', configured({ requireSsl: true })),
      instance.case(
        'requireSsl with an unspecified mode',
        configured({ sslMode: 'SSL_MODE_UNSPECIFIED', requireSsl: true }),
      ),
    ],
    fail: [
      instance.case(
        'a mode that allows both, against requireSsl true',
        configured({ sslMode: 'ALLOW_UNENCRYPTED_AND_ENCRYPTED', requireSsl: true }),
      ),
      instance.case('neither mode nor requireSsl', configured({})),
      instance.case('requireSsl false', configured({ requireSsl: false })),
      instance.case('requireSsl as text', configured({ requireSsl: 'true' })),
      instance.case('no configuration at all', {}),
    ],
    na: 'never',
    unknown: instance.unknown,
  },
  {
    rule: 'sql-public-networks',
    pass: [
      instance.case('named networks', admitting('203.0.113.0/24', '198.51.100.7')),
      instance.case('no networks', configured({ ipv4Enabled: true })),
      instance.case('entries that are no networks', admitting('everywhere', '')),
    ],
    fail: [
      instance.case('0.0.0.0/0', admitting('0.0.0.0/0')),
      instance.case('the internet in two halves', admitting('0.0.0.0/1', '128.0.0.0/1')),
      instance.case('all of IPv6', admitting('::/0')),
      instance.case(
        'an entry that has expired',
        configured({
          authorizedNetworks: [{ value: '0.0.0.0/0', expirationTime: '2020-01-01T00:00:00Z' }],
        }),
      ),
    ],
    na: 'never',
    unknown: instance.unknown,
  },
];
