import { describe, expect, it } from 'vitest';
import { keySlot } from './redis-key-slot.ts';

describe('the slot of a key', () => {
  // As `CLUSTER KEYSLOT` of a Redis answers.
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
  ])('%s is %i', (key, slot) => {
    expect(keySlot(key)).toBe(slot);
  });
});
