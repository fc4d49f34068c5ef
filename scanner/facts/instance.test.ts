import { describe, expect, it } from 'vitest';
import {
  disksOf,
  externalAddressesOf,
  isGkeNode,
  networkTagsOf,
  scopesOf,
  serviceAccountsOf,
} from './instance.ts';

const plural = {
  disks: [{ boot: true }],
  serviceAccounts: [{ email: 'a@b', scopes: ['s'] }],
  networkInterfaces: [
    { accessConfigs: [{ natIP: '203.0.113.7' }, {}], ipv6AccessConfigs: [{ externalIpv6: '::1' }] },
  ],
  tags: { items: ['web'] },
};
const singular = {
  disk: [{ boot: true }],
  serviceAccount: [{ email: 'a@b', scope: ['s'] }],
  networkInterface: [
    {
      accessConfig: [{ externalIp: '203.0.113.7' }, {}],
      ipv6AccessConfig: [{ externalIpv6: '::1' }],
    },
  ],
  tags: { tag: ['web'] },
};

describe('an instance', () => {
  it('an instance has the same disks in the plural and in the singular', () => {
    expect(disksOf(singular)).toEqual(disksOf(plural));
    expect(disksOf(plural)).toEqual([{ boot: true }]);
    expect(disksOf({ ...plural, ...singular })).toHaveLength(1);
  });

  it('an instance has the same service accounts and scopes in the plural and in the singular', () => {
    for (const instance of [singular, plural]) {
      const accounts = serviceAccountsOf(instance);
      expect(accounts.map(({ email }) => email)).toEqual(['a@b']);
      expect(accounts.map(scopesOf)).toEqual([['s']]);
    }
  });

  it('an instance has the same external addresses in the plural and in the singular', () => {
    expect(externalAddressesOf(singular)).toEqual(externalAddressesOf(plural));
    expect(externalAddressesOf(plural)).toEqual([
      { path: 'networkInterfaces[0].accessConfigs[0].natIP', address: '203.0.113.7' },
      { path: 'networkInterfaces[0].accessConfigs[1].natIP', address: null },
      { path: 'networkInterfaces[0].ipv6AccessConfigs[0].externalIpv6', address: '::1' },
    ]);
  });

  it('an instance has the same network tags as items and as tag', () => {
    expect(networkTagsOf(singular)).toEqual(networkTagsOf(plural));
    expect(networkTagsOf(plural)).toEqual(['web']);
  });

  it('an instance is a node of GKE by its name or by its label', () => {
    expect(isGkeNode({ name: 'gke-a' }, '')).toBe(true);
    expect(isGkeNode({ name: 'a', labels: { 'goog-gke-node': '' } }, '')).toBe(true);
    expect(isGkeNode({}, '//compute.googleapis.com/projects/p/zones/z/instances/gke-a')).toBe(true);
    expect(isGkeNode({ name: 'a', labels: ['goog-gke-node'] }, '//x/gke-a')).toBe(false);
    expect(isGkeNode({ name: 'my-gke-a' }, '')).toBe(false);
  });
});
