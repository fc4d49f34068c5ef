import type { JsonObject } from '../json.ts';
import { type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const instance = resourceCases('sqladmin.googleapis.com/Instance');

function configured(ipConfiguration: JsonObject): JsonObject {
  return { settings: { ipConfiguration } };
}

function admitting(...values: readonly string[]): JsonObject {
  return configured({ authorizedNetworks: values.map((value) => ({ value })) });
}

const PG_IAM = 'cloudsql.iam_authentication';
const MYSQL_IAM = 'cloudsql_iam_authentication';

function flagged(databaseVersion: string, name: string, value: string): JsonObject {
  return { databaseVersion, settings: { databaseFlags: [{ name, value }] } };
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
    na: [
      instance.case('a read replica', { instanceType: 'READ_REPLICA_INSTANCE' }),
      instance.case('a pool of read replicas', { instanceType: 'READ_POOL_INSTANCE' }),
    ],
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
      instance.case('an address for outgoing connections alone', {
        ipAddresses: [{ type: 'OUTGOING', ipAddress: '203.0.113.7' }],
      }),
    ],
    fail: [
      instance.case('a public address switched on', configured({ ipv4Enabled: true })),
      instance.case('a public address beside a private one', {
        ...configured({ ipv4Enabled: true, privateNetwork: 'projects/p/global/networks/n' }),
        ipAddresses: [
          { type: 'PRIMARY', ipAddress: '203.0.113.7' },
          { type: 'PRIVATE', ipAddress: '10.0.0.3' },
        ],
      }),
      instance.case('a public address of an instance of the first generation', {
        ipAddresses: [{ type: 'MIGRATED_1ST_GEN', ipAddress: '203.0.113.7' }],
      }),
      instance.case('an address of an unknown type', {
        ipAddresses: [{ type: 'ANYCAST', ipAddress: '203.0.113.7' }],
      }),
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
      instance.case('an unknown mode', configured({ sslMode: 'PREFERRED', requireSsl: true })),
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
  {
    rule: 'sql-pitr',
    pass: [
      instance.case('PostgreSQL with the switch', {
        databaseVersion: 'POSTGRES_15',
        settings: { backupConfiguration: { enabled: true, pointInTimeRecoveryEnabled: true } },
      }),
      instance.case('SQL Server with the switch', {
        databaseVersion: 'SQLSERVER_2019_STANDARD',
        settings: { backupConfiguration: { pointInTimeRecoveryEnabled: true } },
      }),
      instance.case('MySQL with its binary log', {
        databaseVersion: 'MYSQL_8_0',
        settings: { backupConfiguration: { enabled: true, binaryLogEnabled: true } },
      }),
    ],
    fail: [
      instance.case('backups alone', {
        databaseVersion: 'POSTGRES_15',
        instanceType: 'CLOUD_SQL_INSTANCE',
        settings: { backupConfiguration: { enabled: true, pointInTimeRecoveryEnabled: false } },
      }),
      instance.case('MySQL without a binary log', {
        databaseVersion: 'MYSQL_8_0',
        settings: { backupConfiguration: { enabled: true, binaryLogEnabled: false } },
      }),
      instance.case('PostgreSQL with the switch of MySQL', {
        databaseVersion: 'POSTGRES_15',
        settings: { backupConfiguration: { enabled: true, binaryLogEnabled: true } },
      }),
      instance.case('an unknown engine with the switch of MySQL', {
        databaseVersion: 'ORACLE_23AI',
        settings: { backupConfiguration: { enabled: true, binaryLogEnabled: true } },
      }),
      instance.case('backups never mentioned', { databaseVersion: 'MYSQL_8_0', settings: {} }),
    ],
    na: [
      instance.case('a read replica', {
        databaseVersion: 'MYSQL_8_0',
        instanceType: 'READ_REPLICA_INSTANCE',
        settings: { backupConfiguration: { binaryLogEnabled: false } },
      }),
      instance.case('a pool of read replicas', { instanceType: 'READ_POOL_INSTANCE' }),
    ],
    unknown: instance.unknown,
  },
  {
    rule: 'sql-deletion-protection',
    pass: [
      instance.case('an instance that is protected', {
        settings: { deletionProtectionEnabled: true },
      }),
    ],
    fail: [
      instance.case('an instance that is not', { settings: { deletionProtectionEnabled: false } }),
      instance.case('protection never mentioned', { settings: {} }),
      instance.case('protection in the wrong place', { deletionProtectionEnabled: true }),
      instance.case('a read replica that is not', {
        instanceType: 'READ_REPLICA_INSTANCE',
        settings: {},
      }),
    ],
    na: 'never',
    unknown: instance.unknown,
  },
  {
    rule: 'sql-iam-auth',
    pass: [
      instance.case('PostgreSQL with the flag', flagged('POSTGRES_15', PG_IAM, 'on')),
      instance.case('MySQL with the flag', flagged('MYSQL_8_0', MYSQL_IAM, 'ON')),
    ],
    fail: [
      instance.case('PostgreSQL with the flag off', flagged('POSTGRES_15', PG_IAM, 'off')),
      instance.case('PostgreSQL with the flag of MySQL', flagged('POSTGRES_15', MYSQL_IAM, 'on')),
      instance.case('MySQL with the flag of PostgreSQL', flagged('MYSQL_8_0', PG_IAM, 'on')),
      instance.case('MySQL without flags', { databaseVersion: 'MYSQL_8_0', settings: {} }),
    ],
    na: [instance.case('SQL Server', flagged('SQLSERVER_2019_WEB', PG_IAM, 'off'))],
    unknown: [
      ...instance.unknown,
      instance.case('an instance whose engine is not told', { settings: { databaseFlags: [] } }),
    ],
  },
];
