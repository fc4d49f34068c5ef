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
    const found = await Promise.all(Array.from({ length: 100 }, () => lookup.addressesOf(NAME)));
    expect(new Set(found.map(String))).toEqual(new Set(['8.8.8.8,2606:4700::1']));
    expect(dns.asked).toHaveLength(2);
    dns.setAddresses(NAME, ['8.8.4.4']);
    expect(await lookup.addressesOf(NAME)).toEqual(['8.8.4.4']);
  });

  it('a webhook host with more than 32 addresses is refused without another look-up, and no other host is', async () => {
    dns.setAddresses(NAME, CROWD);
    dns.setAddresses('other.example.com', ['8.8.8.8']);
    const lookup = new DnsLookup([dns.address]);
    for (let n = 0; n < 5; n += 1) expect(await lookup.addressesOf(NAME)).toEqual([]);
    expect(dns.asked).toHaveLength(2);
    expect(await lookup.addressesOf('other.example.com')).toEqual(['8.8.8.8']);
  });

  it('a webhook host that had more than 32 addresses is looked up again later', async () => {
    const lookup = new DnsLookup([dns.address], 0);
    dns.setAddresses(NAME, CROWD);
    expect(await lookup.addressesOf(NAME)).toEqual([]);
    dns.setAddresses(NAME, ['8.8.8.8']);
    expect(await lookup.addressesOf(NAME)).toEqual(['8.8.8.8']);
  });
});
