import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import {
  defaultPrivateNodesOf,
  encryptsSecrets,
  enforcesBinaryAuthorization,
  enforcesNetworkPolicy,
  followsReleaseChannel,
  hasShieldedNodes,
  hasWorkloadIdentity,
  nodePoolsOf,
  sendsTelemetry,
  usesAliasAddresses,
} from './cluster.ts';

describe('a cluster', () => {
  it.each([
    [{ enabled: true }, true],
    [{ enabled: false, evaluationMode: 'PROJECT_SINGLETON_POLICY_ENFORCE' }, true],
    [{ enabled: true, evaluationMode: 'DISABLED' }, false],
    [{ enabled: true, evaluationMode: 'EVALUATION_MODE_UNSPECIFIED' }, true],
    [{ evaluationMode: 'DISABLED' }, false],
    [{ evaluationMode: 'EVALUATION_MODE_UNSPECIFIED' }, false],
    [{}, false],
  ])(
    'a cluster with the binary authorization %j enforces it: %s',
    (binaryAuthorization, enforced) => {
      expect(enforcesBinaryAuthorization({ binaryAuthorization })).toBe(enforced);
    },
  );

  it('a cluster may have its workload pool under the old name', () => {
    const configured = (workloadIdentityConfig: JsonObject) => ({ workloadIdentityConfig });
    expect(hasWorkloadIdentity(configured({ workloadPool: 'p.svc.id.goog' }))).toBe(true);
    expect(hasWorkloadIdentity(configured({ identityNamespace: 'p.svc.id.goog' }))).toBe(true);
    expect(hasWorkloadIdentity(configured({}))).toBe(false);
  });

  it('a cluster enforces network policies with Dataplane V2 as well as by the setting', () => {
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

  it('a cluster has its node pools', () => {
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
  ])(
    'a cluster with the database encryption %j encrypts secrets: %s',
    (databaseEncryption, encrypted) => {
      expect(encryptsSecrets({ databaseEncryption })).toBe(encrypted);
    },
  );

  it('a cluster follows a release channel if it names one', () => {
    expect(followsReleaseChannel({ releaseChannel: { channel: 'STABLE' } })).toBe(true);
    expect(followsReleaseChannel({ releaseChannel: { channel: 'UNSPECIFIED' } })).toBe(false);
    expect(followsReleaseChannel({ releaseChannel: {} })).toBe(false);
    expect(followsReleaseChannel({})).toBe(false);
  });

  it('an Autopilot cluster has the Autopilot defaults unless a field overrides them', () => {
    const cluster = { autopilot: { enabled: true } };
    expect(hasShieldedNodes(cluster)).toBe(true);
    expect(hasWorkloadIdentity(cluster)).toBe(true);
    expect(enforcesNetworkPolicy(cluster)).toBe(true);
    expect(usesAliasAddresses(cluster)).toBe(true);
    expect(followsReleaseChannel(cluster)).toBe(true);
    expect(hasShieldedNodes({ ...cluster, shieldedNodes: { enabled: false } })).toBe(false);
    expect(usesAliasAddresses({ ...cluster, ipAllocationPolicy: { useIpAliases: false } })).toBe(
      false,
    );
    const legacy = { networkConfig: { datapathProvider: 'LEGACY_DATAPATH' } };
    expect(enforcesNetworkPolicy({ ...cluster, ...legacy })).toBe(false);
    expect(hasShieldedNodes({ autopilot: { enabled: false } })).toBe(false);
    expect(hasShieldedNodes({ autopilot: {} })).toBe(false);
  });

  it('a cluster makes its nodes private by the current field, and by the older one where that is absent', () => {
    const older = { privateClusterConfig: { enablePrivateNodes: true } };
    expect(defaultPrivateNodesOf(older).isPrivate).toBe(true);
    const current = { ...older, networkConfig: { defaultEnablePrivateNodes: false } };
    expect(defaultPrivateNodesOf(current)).toEqual({
      path: 'networkConfig.defaultEnablePrivateNodes',
      value: false,
      isPrivate: false,
    });
  });

  it.each([
    [{}, true],
    [{ loggingService: 'none' }, false],
    [{ loggingService: '', loggingConfig: { componentConfig: {} } }, false],
    [{ loggingConfig: { componentConfig: { enableComponents: [] } } }, false],
    [{ loggingConfig: { componentConfig: { enableComponents: ['SYSTEM_COMPONENTS'] } } }, true],
    [{ loggingConfig: {} }, true],
    [
      { loggingService: 'none', loggingConfig: { componentConfig: { enableComponents: ['X'] } } },
      false,
    ],
  ])('a cluster with %j sends logs: %s', (cluster, sends) => {
    expect(sendsTelemetry(cluster, 'logging')).toBe(sends);
  });
});
