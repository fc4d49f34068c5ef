import { describe, expect, it } from 'vitest';
import { databaseFlag, demandsEncryption, isReadReplica } from './sql-instance.ts';

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
  ])('with %j demands encryption: %s', (configuration, demanded) => {
    expect(demandsEncryption(configured(configuration))).toBe(demanded);
  });

  it('is a read replica by its type alone', () => {
    expect(isReadReplica({ instanceType: 'READ_REPLICA_INSTANCE' })).toBe(true);
    expect(isReadReplica({ instanceType: 'CLOUD_SQL_INSTANCE', masterInstanceName: 'm' })).toBe(
      false,
    );
  });

  it('has the flags that are set, an empty one included', () => {
    const instance = {
      settings: {
        databaseFlags: [{ name: 'log_statement', value: 'ddl' }, { name: 'empty' }, null],
      },
    };
    expect(databaseFlag(instance, 'log_statement')).toBe('ddl');
    expect(databaseFlag(instance, 'empty')).toBe('');
    expect(databaseFlag(instance, 'log_connections')).toBeNull();
    expect(databaseFlag({}, 'log_connections')).toBeNull();
  });
});
