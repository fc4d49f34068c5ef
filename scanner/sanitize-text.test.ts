import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeKey, sanitizeText } from './sanitize-text.ts';

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom('\0', '\uD83D', '\uDE00', 'a', '\uFFFD')).map((all) => all.join('')),
);

describe('a storable text', () => {
  it('a sanitized text has no NUL and no lone surrogate, and is not longer than the given limit', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 12 }), (text, max) => {
        const stored = sanitizeText(text, max);
        expect(stored.length).toBeLessThanOrEqual(max);
        expect(stored).not.toContain('\0');
        expect(stored).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  it('a sanitized text is unchanged if nothing is wrong with it', () => {
    expect(sanitizeText('grüße 😀', 100)).toBe('grüße 😀');
    expect(sanitizeKey('roles/viewer allUsers', 512)).toBe('roles/viewer allUsers');
  });

  it('sanitized texts that are keys differ when the original texts differ', () => {
    const long = 'x'.repeat(600);
    expect(sanitizeKey(`${long}a`, 512)).not.toBe(sanitizeKey(`${long}b`, 512));
    expect(sanitizeKey('a\0', 512)).not.toBe(sanitizeKey('a\uFFFD', 512));
    expect(sanitizeKey('\uD800', 512)).not.toBe(sanitizeKey('\uD801', 512));
    expect(sanitizeKey(long, 512).length).toBeLessThanOrEqual(512);
  });
});
