import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestDnsServer } from '../../../tests/kit/dns-server.ts';
import { DnsLookup } from './host-lookup.ts';

const NAME = 'hooks.example.com';
const CROWD = Array.from({ length: 33 }, (_, n) => `8.8.8.${n}`);

let dns: TestDnsServer;

beforeAll(async () => {
  dns = await TestDnsServer.start();
});

afterAll(() => dns.close());

beforeEach(() => {
  dns.asked.length = 0;
});

describe('the look-up of webhook hosts', () => {
  it('attempts of webhooks with the same host share one look-up while it is in progress', async () => {
    dns.setAddresses(NAME, ['8.8.8.8', '2606:4700::1']);
    const lookup = new DnsLookup([dns.address]);
    const found = await Promise.all(
      Array.from({ length: 100 }, () => lookup.addressesOf(NAME, 'a')),
    );
    expect(new Set(found.map(String))).toEqual(new Set(['8.8.8.8,2606:4700::1']));
    expect(dns.asked).toHaveLength(2);
    dns.setAddresses(NAME, ['8.8.4.4']);
    expect(await lookup.addressesOf(NAME, 'a')).toEqual(['8.8.4.4']);
  });

  it('a webhook host with more than 32 addresses is refused without another look-up, and no other host is', async () => {
    dns.setAddresses(NAME, CROWD);
    dns.setAddresses('other.example.com', ['8.8.8.8']);
    const lookup = new DnsLookup([dns.address]);
    for (let n = 0; n < 5; n += 1) expect(await lookup.addressesOf(NAME, 'a')).toEqual([]);
    expect(dns.asked).toHaveLength(2);
    expect(await lookup.addressesOf('other.example.com', 'a')).toEqual(['8.8.8.8']);
  });

  it('a webhook host that had more than 32 addresses is looked up again later', async () => {
    const lookup = new DnsLookup([dns.address], 0);
    dns.setAddresses(NAME, CROWD);
    expect(await lookup.addressesOf(NAME, 'a')).toEqual([]);
    dns.setAddresses(NAME, ['8.8.8.8']);
    expect(await lookup.addressesOf(NAME, 'a')).toEqual(['8.8.8.8']);
  });

  /** Looks up new hosts with too many addresses. @returns how many of them the DNS was asked for. */
  async function lookUpCrowded(lookup: DnsLookup, tenantId: string, count: number) {
    dns.asked.length = 0;
    const hosts = Array.from({ length: count }, (_, n) => `${tenantId}-${n}.example.com`);
    for (const host of hosts) dns.setAddresses(host, CROWD);
    await Promise.all(hosts.map((host) => lookup.addressesOf(host, tenantId)));
    return new Set(dns.asked).size;
  }

  it('a tenant whose webhooks had 100 hosts with more than 32 addresses is refused other hosts without a look-up, and no other tenant is', async () => {
    dns.setAddresses(NAME, ['8.8.8.8']);
    const lookup = new DnsLookup([dns.address]);
    // All at the same time, so that none has an answer when the last one begins.
    expect(await lookUpCrowded(lookup, 'a', 150)).toBe(100);
    dns.asked.length = 0;
    expect(await lookup.addressesOf(NAME, 'a')).toEqual([]);
    expect(dns.asked).toEqual([]);
    expect(await lookup.addressesOf(NAME, 'b')).toEqual(['8.8.8.8']);
  });

  it('a tenant with 99 webhook hosts of more than 32 addresses can still use another host', async () => {
    dns.setAddresses(NAME, ['8.8.8.8']);
    const lookup = new DnsLookup([dns.address]);
    expect(await lookUpCrowded(lookup, 'a', 99)).toBe(99);
    for (let n = 0; n < 3; n += 1) expect(await lookup.addressesOf(NAME, 'a')).toEqual(['8.8.8.8']);
  });

  it('a tenant whose webhook hosts had more than 32 addresses can use other hosts again later', async () => {
    const lookup = new DnsLookup([dns.address], 0);
    expect(await lookUpCrowded(lookup, 'a', 100)).toBe(100);
    dns.setAddresses(NAME, ['8.8.8.8']);
    expect(await lookup.addressesOf(NAME, 'a')).toEqual(['8.8.8.8']);
  });
});
