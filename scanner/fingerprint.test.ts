import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binaryFingerprint, FINGERPRINT_BYTES, fingerprint } from './fingerprint.ts';

const identity = {
  tenantId: 't',
  projectId: 'p',
  ruleId: 'fw-ssh-world',
  assetName: '//compute.googleapis.com/projects/p/global/firewalls/f',
  subject: '',
};

describe('a fingerprint', () => {
  it('a fingerprint never changes for the same finding', () => {
    // A fixed value: changing it would turn every stored finding into a new one.
    expect(fingerprint(identity)).toBe(
      '451793e7984e1d97b138cd813e9565ca194027600c5ced8dee6842fb51c55c0a',
    );
  });

  it('a fingerprint differs when one part differs, even if characters move to the next part', () => {
    const parts = fc.record({
      tenantId: fc.string(),
      projectId: fc.string(),
      ruleId: fc.string(),
      assetName: fc.string({ unit: 'binary' }),
      subject: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(fingerprint(a) === fingerprint(b)).toBe(same);
      }),
    );
    expect(fingerprint({ ...identity, ruleId: 'a', assetName: 'bc' })).not.toBe(
      fingerprint({ ...identity, ruleId: 'ab', assetName: 'c' }),
    );
    expect(fingerprint({ ...identity, assetName: 'a","b', subject: 'c' })).not.toBe(
      fingerprint({ ...identity, assetName: 'a', subject: 'b","c' }),
    );
  });

  it('a fingerprint as bytes is the same fingerprint', () => {
    for (const assetName of ['', 'name', 'é', '\ud83d', '"\\']) {
      const bytes = Buffer.from(binaryFingerprint({ ...identity, assetName }), 'binary');
      expect(bytes).toHaveLength(FINGERPRINT_BYTES);
      expect(bytes.toString('hex')).toBe(fingerprint({ ...identity, assetName }));
    }
  });

  it('a fingerprint has exactly five parts', () => {
    const more = { ...identity, message: 'm', severity: 'high', scanId: 's', version: 2 };
    expect(fingerprint(more)).toBe(fingerprint(identity));
  });
});
