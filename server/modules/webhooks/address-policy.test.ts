import { describe, expect, it } from 'vitest';
import { AddressPolicy, isRange } from './address-policy.ts';

const strict = new AddressPolicy({ allow: [], loopback: false });
const open = new AddressPolicy({ allow: ['0.0.0.0/0', '::/0'], loopback: true });

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '168.63.129.15',
  '168.63.129.17',
  '172.32.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:800::200e',
];

/** One address of each range that IANA lists as special (RFC 6890), and spellings that hide one. */
const SPECIAL = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::a00:1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::ffff:8.8.8.8',
  '::ffff:169.254.169.254',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:a00:1::1',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
];

describe('addresses of webhooks', () => {
  it.each(PUBLIC)('the webhook address %s is public', (address) => {
    expect(strict.allows(address)).toBe(true);
  });

  it.each(SPECIAL)('the webhook address %s is refused', (address) => {
    expect(strict.allows(address)).toBe(false);
  });

  it.each(['', 'localhost', '1', '0x7f.1', '127.1', '010.0.0.1', '1.1.1.1.', '[::1]', '::g'])(
    'the text %j is not an address',
    (text) => {
      expect(strict.allows(text)).toBe(false);
      expect(open.allows(text)).toBe(false);
    },
  );

  it('a webhook address may be in a range that the operator allows, in its own address family only', () => {
    const policy = new AddressPolicy({ allow: ['10.1.0.0/16', 'fd12::/16'], loopback: false });
    expect(policy.allows('10.1.2.3')).toBe(true);
    expect(policy.allows('fd12::5')).toBe(true);
    expect(policy.allows('10.2.0.1')).toBe(false);
    expect(policy.allows('::ffff:10.1.2.3')).toBe(false);
    expect(policy.allows('127.0.0.1')).toBe(false);
  });

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    '::ffff:168.63.129.16',
  ])(
    'the address %s of a metadata service is refused regardless of WEBHOOK_ALLOW_CIDRS',
    (address) => {
      expect(open.allows(address)).toBe(false);
    },
  );

  it('a webhook address may be loopback in development', () => {
    const policy = new AddressPolicy({ allow: [], loopback: true });
    for (const address of ['127.0.0.1', '127.8.8.8', '::1']) {
      expect(policy.allows(address)).toBe(true);
    }
    for (const address of ['0.0.0.0', '::', '10.0.0.1', '::ffff:127.0.0.1']) {
      expect(policy.allows(address)).toBe(false);
    }
  });
});

describe('a range of the operator', () => {
  it.each(['10.0.0.0/8', '10.1.2.3/32', 'fd00::/8', '0.0.0.0/0'])(
    'WEBHOOK_ALLOW_CIDRS accepts the range %s',
    (text) => {
      expect(isRange(text)).toBe(true);
    },
  );

  it.each(['10.0.0.0', '10/8', '10.0.0.0/33', 'fd00::/129', 'example.com/8', '', '/8'])(
    'WEBHOOK_ALLOW_CIDRS refuses the range %j',
    (text) => {
      expect(isRange(text)).toBe(false);
    },
  );
});
