import { describe, expect, it } from 'vitest';
import {
  databaseFlag,
  demandsEncryption,
  isReadReplica,
  recoversToPoint,
  sqlEngine,
} from './sql-instance.ts';

const configured = (ipConfiguration: Record<string, string | boolean>) => ({
  settings: { ipConfiguration },
});

describe('a Cloud SQL instance', () => {
  it.each([
    [{ sslMode: 'ENCRYPTED_ONLY' }, true],
    [{ sslMode: 'encryptedOnly', requireSsl: false }, true],
    [{ sslMode: 'TRUSTED_CLIENT_CERTIFICATE_REQUIRED' }, true],
    [{ sslMode: 'ALLOW_UNENCRYPTED_AND_ENCRYPTED', requireSsl: true }, false],
    [{ sslMode: 'SSL_MODE_UNSPECIFIED', requireSsl: true }, true],
    [{ sslMode: 'SSL_MODE_UNSPECIFIED' }, false],
    [{ requireSsl: true }, true],
    [{}, false],
  ])('a Cloud SQL instance with %j requires TLS: %s', (configuration, demanded) => {
    expect(demandsEncryption(configured(configuration))).toBe(demanded);
  });

  it('a Cloud SQL instance is a read replica by its type alone', () => {
    expect(isReadReplica({ instanceType: 'READ_REPLICA_INSTANCE' })).toBe(true);
    expect(isReadReplica({ instanceType: 'CLOUD_SQL_INSTANCE', masterInstanceName: 'm' })).toBe(
      false,
    );
  });

  it.each([
    ['MYSQL_5_7', 'MYSQL'],
    ['MYSQL_8_0_35', 'MYSQL'],
    ['mysql_8_4', 'MYSQL'],
    ['POSTGRES_9_6', 'POSTGRES'],
    ['POSTGRES_17', 'POSTGRES'],
    ['SQLSERVER_2022_EXPRESS', 'SQLSERVER'],
    ['ORACLE_23AI', 'OTHER'],
    ['SQL_DATABASE_VERSION_UNSPECIFIED', null],
    ['', null],
    [15, null],
    [undefined, null],
  ])('a Cloud SQL instance with the version %j has the engine %j', (databaseVersion, engine) => {
    expect(sqlEngine(databaseVersion === undefined ? {} : { databaseVersion })).toBe(engine);
  });

  it.each([
    ['MYSQL_8_0', { binaryLogEnabled: true }, true],
    ['MYSQL_8_0', { pointInTimeRecoveryEnabled: true }, true],
    ['POSTGRES_15', { pointInTimeRecoveryEnabled: true }, true],
    ['POSTGRES_15', { binaryLogEnabled: true }, false],
    ['SQLSERVER_2019_WEB', { binaryLogEnabled: true }, false],
    ['', { binaryLogEnabled: true }, true],
    ['MYSQL_8_0', { binaryLogEnabled: 'true' }, false],
    ['MYSQL_8_0', {}, false],
  ])(
    'a Cloud SQL instance with the version %j and %j has point-in-time recovery: %s',
    (databaseVersion, backups, can) => {
      const instance = { databaseVersion, settings: { backupConfiguration: backups } };
      expect(recoversToPoint(instance)).toBe(can);
    },
  );

  it('a Cloud SQL instance has the flags that are set, an empty one included', () => {
    const instance = {
      settings: {
        databaseFlags: [
          null,
          { name: 'log_statement', value: 'ddl' },
          { name: 'empty' },
          { name: 'Log_Connections', value: ' ON ' },
          { name: 'user connections', value: 0 },
          { name: ['log_duration'], value: 'on' },
        ],
      },
    };
    expect(databaseFlag(instance, 'log_statement')).toBe('ddl');
    expect(databaseFlag(instance, 'empty')).toBe('');
    expect(databaseFlag(instance, 'log_connections')).toBe('ON');
    expect(databaseFlag(instance, 'user connections')).toBe('0');
    expect(databaseFlag(instance, 'log_duration')).toBeNull();
    expect(databaseFlag({}, 'log_connections')).toBeNull();
    expect(databaseFlag({ settings: { databaseFlags: {} } }, 'log_connections')).toBeNull();
  });
});
