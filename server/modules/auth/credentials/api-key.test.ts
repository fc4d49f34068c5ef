import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiKeyPrefix, newApiKey, parseApiKey } from './api-key.ts';

describe('a new key', () => {
  it('a new API key has an id of 12 and a secret of 43 letters and digits', () => {
    expect(newApiKey().key).toMatch(/^cspm_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}$/);
  });

  it('a new API key is stored only as the hash of its secret', () => {
    const { key, publicId, secretHash } = newApiKey();
    const secret = key.split('_')[2] ?? '';
    expect(secretHash).toEqual(createHash('sha256').update(secret).digest());
    expect(apiKeyPrefix(publicId)).toBe(key.slice(0, 17));
  });

  it('new API keys use every letter and digit about equally often', () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 500; made += 1) {
      for (const sign of newApiKey().key.slice(18)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
    }
    const expected = (500 * 43) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(expected * 0.7);
      expect(count).toBeLessThan(expected * 1.3);
    }
  });
});

describe('parsing an API key', () => {
  it('parsing an API key returns its parts', () => {
    const made = newApiKey();
    expect(parseApiKey(made.key)).toEqual(made);
  });

  const sound = `cspm_${'a'.repeat(12)}_${'b'.repeat(43)}`;

  it.each([
    '',
    'cspm_',
    sound.slice(1),
    sound.slice(0, -1),
    `${sound}b`,
    `${sound}\n`,
    ` ${sound}`,
    sound.toUpperCase(),
    sound.replace('cspm', 'Cspm'),
    sound.replaceAll('_', '-'),
    sound.replace('a', 'ä'),
    sound.replace('a', '\u0661'),
    sound.replace('a', '-'),
    `${sound}_${'c'.repeat(43)}`,
  ])('parsing an API key returns null for a malformed key: %j', (key) => {
    expect(parseApiKey(key)).toBeNull();
  });
});
