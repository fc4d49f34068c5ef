import { describe, expect, it } from 'vitest';
import { codeAt } from '../../../../tests/kit/authenticator.ts';
import { matchingStep, newTotpSecret, otpauthUri } from './totp.ts';

/** The secret of RFC 6238, appendix B (`12345678901234567890`), in Base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

describe('an authenticator code', () => {
  // The appendix lists 8 digits; the last six are the code of six digits.
  it.each([
    [59, '287082', 1],
    [1111111109, '081804', 37037036],
    [1111111111, '050471', 37037037],
    [1234567890, '005924', 41152263],
    [2000000000, '279037', 66666666],
    [20000000000, '353130', 666666666],
  ])('an authenticator code matches RFC 6238, appendix B, at %i s', (seconds, code, step) => {
    expect(matchingStep(RFC_SECRET, code, at(seconds), null)).toBe(step);
  });

  const now = at(1_800_000_000);
  const step = 60_000_000;

  it.each([-1, 0, 1])('an authenticator code is accepted %i steps from now', (steps) => {
    const code = codeAt(RFC_SECRET, now, steps);
    for (const second of [0, 1, 29]) {
      const then = new Date(now.getTime() + second * 1000);
      expect(matchingStep(RFC_SECRET, code, then, null)).toBe(step + steps);
    }
  });

  it.each([-3, -2, 2, 3])('an authenticator code is rejected %i steps from now', (steps) => {
    const code = codeAt(RFC_SECRET, now, steps);
    for (const second of [0, 29]) {
      const then = new Date(now.getTime() + second * 1000);
      expect(matchingStep(RFC_SECRET, code, then, null)).toBeNull();
    }
  });

  it('an authenticator code is rejected for a used or an earlier time step', () => {
    for (const steps of [-1, 0, 1]) {
      const code = codeAt(RFC_SECRET, now, steps);
      expect(matchingStep(RFC_SECRET, code, now, step + steps)).toBeNull();
      expect(matchingStep(RFC_SECRET, code, now, step + steps + 1)).toBeNull();
      expect(matchingStep(RFC_SECRET, code, now, step + steps - 1)).toBe(step + steps);
    }
  });

  it('an authenticator code is rejected without an error when the clock was set back before the last used code', () => {
    const code = codeAt(RFC_SECRET, now);
    expect(matchingStep(RFC_SECRET, code, now, step + 1000)).toBeNull();
  });

  it.each(['', '28708', '2870822', 'abcdef', '２８７０８２', '287082\n', ' 87082', '-28708'])(
    'an authenticator code is rejected when it is %j',
    (malformed) => {
      expect(matchingStep(RFC_SECRET, malformed, at(59), null)).toBeNull();
    },
  );
});

describe('a TOTP secret', () => {
  it('a TOTP secret has 160 random bits', () => {
    const secrets = Array.from({ length: 20 }, newTotpSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(20);
  });

  it('a TOTP secret becomes an otpauth URI with issuer, account and parameters', () => {
    const uri = new URL(otpauthUri(RFC_SECRET, 'ada+x@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.href)).toContain('totp/CSPM:ada+x@example.com');
    expect(uri.searchParams.get('secret')).toBe(RFC_SECRET);
    expect(uri.searchParams.get('issuer')).toBe('CSPM');
    expect(uri.searchParams.get('digits') ?? '6').toBe('6');
    expect(uri.searchParams.get('period') ?? '30').toBe('30');
    expect((uri.searchParams.get('algorithm') ?? 'SHA1').toUpperCase()).toBe('SHA1');
  });
});
