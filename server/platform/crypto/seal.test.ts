import { describe, expect, it } from 'vitest';
import { keyRing } from './app-secrets.ts';
import { seal, unseal } from './seal.ts';

const OLD = 'the secret of last year, 32 bytes or more';
const NEW = 'the secret of this year, 32 bytes or more';
const keys = keyRing([NEW], 'test');
const text = '{"key":"cspm_\u{1F511}"}';

describe('a sealed value', () => {
  it.each(['', 'a', text, 'x'.repeat(100_000)])('is opened again as it was (%#)', (plain) => {
    expect(unseal(keys, 'context', seal(keys, 'context', plain))).toBe(plain);
  });

  it('is opened with an older secret after another one is in use', () => {
    const sealed = seal(keyRing([OLD], 'test'), 'context', text);
    expect(unseal(keyRing([NEW, OLD], 'test'), 'context', sealed)).toBe(text);
    expect(unseal(keyRing([NEW], 'test'), 'context', sealed)).toBeNull();
  });

  it('is not opened in another context, or for another purpose', () => {
    const sealed = seal(keys, 'context', text);
    expect(unseal(keys, 'context ', sealed)).toBeNull();
    expect(unseal(keys, '', sealed)).toBeNull();
    expect(unseal(keyRing([NEW], 'other'), 'context', sealed)).toBeNull();
  });

  it('is not opened when a single bit of it was changed, whichever', () => {
    const sealed = seal(keys, 'context', 'short');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const tampered = Buffer.from(sealed);
      tampered[bit >> 3] = (tampered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(unseal(keys, 'context', tampered)).toBeNull();
    }
  });

  it('is not opened when it was cut, at any length', () => {
    const sealed = seal(keys, 'context', 'short');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(unseal(keys, 'context', sealed.subarray(0, length))).toBeNull();
    }
  });

  it('looks different each time, and shows nothing of what is in it', () => {
    const many = Array.from({ length: 20 }, () => seal(keys, 'context', text).toString('hex'));
    expect(new Set(many.map((sealed) => sealed.slice(8, 32))).size).toBe(20);
    for (const sealed of many) expect(sealed).not.toContain(Buffer.from('cspm_').toString('hex'));
  });
});

describe('the keys of the application', () => {
  it('are different for each purpose and each secret, and the same at each start', () => {
    const hex = (secret: string, purpose: string) =>
      Buffer.from(keyRing([secret], purpose).current.bytes).toString('hex');
    expect(hex(NEW, 'a')).toBe(hex(NEW, 'a'));
    expect(new Set([hex(NEW, 'a'), hex(NEW, 'b'), hex(OLD, 'a'), hex(OLD, 'b')]).size).toBe(4);
    expect(keyRing([NEW], 'a').current.bytes).toHaveLength(32);
  });

  it('are found by their ids, which tell nothing of the secret', () => {
    const ring = keyRing([NEW, OLD], 'a');
    const { id } = keyRing([OLD], 'b').current;
    expect(ring.find(id)?.bytes).toEqual(keyRing([OLD], 'a').current.bytes);
    expect(ring.current.id).not.toBe(id);
    expect(ring.find('__proto__')).toBeUndefined();
    expect(ring.find('')).toBeUndefined();
  });

  it('cannot be made of nothing', () => {
    expect(() => keyRing([], 'a')).toThrow('No application secret is configured');
  });
});
