import { expect, it } from 'vitest';
import { protocolName } from './protocol.ts';

it.each([
  ['tcp', 'tcp'],
  ['TCP', 'tcp'],
  ['6', 'tcp'],
  ['06', 'tcp'],
  [6, 'tcp'],
  ['17', 'udp'],
  [1, 'icmp'],
  ['58', 'icmpv6'],
  ['all', 'all'],
  ['ALL', 'all'],
  ['89', '89'],
  [89, '89'],
  ['', null],
  [null, null],
  [undefined, null],
  [['tcp'], null],
])('the protocol %j is read as %j', (value, name) => {
  expect(protocolName(value)).toBe(name);
});
