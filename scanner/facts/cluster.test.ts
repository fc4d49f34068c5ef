import { describe, expect, it } from 'vitest';
import {
  encryptsSecrets,
  enforcesBinaryAuthorization,
  enforcesNetworkPolicy,
  nodePoolsOf,
  releaseChannelOf,
  workloadPoolOf,
} from './cluster.ts';

describe('a cluster', () => {
  it.each([
    [{ enabled: true }, true],
    [{ enabled: false, evaluationMode: 'PROJECT_SINGLETON_POLICY_ENFORCE' }, true],
    [{ evaluationMode: 'DISABLED' }, false],
    [{ evaluationMode: 'EVALUATION_MODE_UNSPECIFIED' }, false],
    [{}, false],
  ])('with the binary authorization %j enforces it: %s', (binaryAuthorization, enforced) => {
    expect(enforcesBinaryAuthorization({ binaryAuthorization })).toBe(enforced);
  });

  it('has the same workload pool under its old name', () => {
    expect(workloadPoolOf({ workloadIdentityConfig: { workloadPool: 'p.svc.id.goog' } })).toBe(
      'p.svc.id.goog',
    );
    expect(workloadPoolOf({ workloadIdentityConfig: { identityNamespace: 'p.svc.id.goog' } })).toBe(
      'p.svc.id.goog',
    );
    expect(workloadPoolOf({ workloadIdentityConfig: {} })).toBeNull();
  });

  it('enforces network policies with Dataplane V2 as well as by the switch', () => {
    expect(enforcesNetworkPolicy({ networkPolicy: { enabled: true } })).toBe(true);
    expect(
      enforcesNetworkPolicy({
        networkPolicy: { enabled: false },
        networkConfig: { datapathProvider: 'ADVANCED_DATAPATH' },
      }),
    ).toBe(true);
    expect(enforcesNetworkPolicy({ networkConfig: { datapathProvider: 'LEGACY_DATAPATH' } })).toBe(
      false,
    );
  });

  it('has its node pools', () => {
    expect(nodePoolsOf({ nodePools: [{ name: 'a' }, null] })).toEqual([{ name: 'a' }]);
  });

  it.each([
    [{ state: 'ENCRYPTED' }, true],
    [{ state: 'encrypted' }, true],
    [{ state: 'ALL_OBJECTS_ENCRYPTION_ENABLED' }, true],
    [{ state: 'DECRYPTED', keyName: 'k' }, false],
    [{ state: 'UNKNOWN' }, false],
    [{ keyName: 'k' }, false],
    [null, false],
  ])('with the database encryption %j encrypts secrets: %s', (databaseEncryption, encrypted) => {
    expect(encryptsSecrets({ databaseEncryption })).toBe(encrypted);
  });

  it('follows a release channel if it names one', () => {
    expect(releaseChannelOf({ releaseChannel: { channel: 'STABLE' } })).toBe('STABLE');
    expect(releaseChannelOf({ releaseChannel: { channel: 'UNSPECIFIED' } })).toBeNull();
    expect(releaseChannelOf({ releaseChannel: {} })).toBeNull();
    expect(releaseChannelOf({})).toBeNull();
  });
});
