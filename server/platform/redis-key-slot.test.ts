import { describe, expect, it } from 'vitest';
import { keySlot } from './redis-key-slot.ts';

describe('the slot of a key', () => {
  // The expected slots are those that `CLUSTER KEYSLOT` of a Redis returns.
  it.each([
    ['123456789', 12_739],
    ['foo', 12_182],
    ['foo{bar}', 5_061],
    ['bar', 5_061],
    ['foo{}{bar}', 8_363],
    ['foo{{bar}}zap', 4_015],
    ['foo{bar}{zap}', 5_061],
    ['{bar', 4_015],
    ['cspm:limit:login:{2001:db8::/64}', 26],
    ['', 0],
  ])('the Redis Cluster slot of the key %s is %i', (key, slot) => {
    expect(keySlot(key)).toBe(slot);
  });
});
