import { describe, expect, it } from 'vitest';
import { keyRing } from './app-secrets.ts';
import { seal, unseal } from './seal.ts';

const OLD = 'the secret of last year, 32 bytes or more';
const NEW = 'the secret of this year, 32 bytes or more';
const keys = keyRing([NEW], 'test');
const text = '{"key":"cspm_\u{1F511}"}';

describe('a sealed value', () => {
  it.each(['', 'a', text, 'x'.repeat(100_000)])(
    'a sealed value decrypts to the same bytes (%#)',
    (plain) => {
      expect(unseal(keys, 'context', seal(keys, 'context', plain))).toBe(plain);
    },
  );

  it('a sealed value can be decrypted with an older secret after another one is in use', () => {
    const sealed = seal(keyRing([OLD], 'test'), 'context', text);
    expect(unseal(keyRing([NEW, OLD], 'test'), 'context', sealed)).toBe(text);
    expect(unseal(keyRing([NEW], 'test'), 'context', sealed)).toBeNull();
  });

  it('a sealed value cannot be decrypted in another context, or for another purpose', () => {
    const sealed = seal(keys, 'context', text);
    expect(unseal(keys, 'context ', sealed)).toBeNull();
    expect(unseal(keys, '', sealed)).toBeNull();
    expect(unseal(keyRing([NEW], 'other'), 'context', sealed)).toBeNull();
  });

  it('a sealed value cannot be decrypted when any single bit of it was changed', () => {
    const sealed = seal(keys, 'context', 'short');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const tampered = Buffer.from(sealed);
      tampered[bit >> 3] = (tampered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(unseal(keys, 'context', tampered)).toBeNull();
    }
  });

  it('a sealed value cannot be decrypted when it was cut, at any length', () => {
    const sealed = seal(keys, 'context', 'short');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(unseal(keys, 'context', sealed.subarray(0, length))).toBeNull();
    }
  });

  it('a sealed value differs each time, and reveals nothing of its content', () => {
    const many = Array.from({ length: 20 }, () => seal(keys, 'context', text).toString('hex'));
    expect(new Set(many.map((sealed) => sealed.slice(8, 32))).size).toBe(20);
    for (const sealed of many) expect(sealed).not.toContain(Buffer.from('cspm_').toString('hex'));
  });
});

describe('the keys of the application', () => {
  it('the keys derived from APP_SECRET differ for each purpose and secret, and are the same at each start', () => {
    const hex = (secret: string, purpose: string) =>
      Buffer.from(keyRing([secret], purpose).current.bytes).toString('hex');
    expect(hex(NEW, 'a')).toBe(hex(NEW, 'a'));
    expect(new Set([hex(NEW, 'a'), hex(NEW, 'b'), hex(OLD, 'a'), hex(OLD, 'b')]).size).toBe(4);
    expect(keyRing([NEW], 'a').current.bytes).toHaveLength(32);
  });

  it('the ids of keys derived from APP_SECRET reveal nothing of the secret', () => {
    const ring = keyRing([NEW, OLD], 'a');
    const { id } = keyRing([OLD], 'b').current;
    expect(ring.find(id)?.bytes).toEqual(keyRing([OLD], 'a').current.bytes);
    expect(ring.current.id).not.toBe(id);
    expect(ring.find('__proto__')).toBeUndefined();
    expect(ring.find('')).toBeUndefined();
  });

  it('keys cannot be derived without a secret', () => {
    expect(() => keyRing([], 'a')).toThrow('No application secret is configured');
  });
});
