import { createPublicKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newCertificate } from '../../../../tests/kit/certificate.ts';
import { threadCpuMs } from '../../../../tests/kit/thread-cpu.ts';
import { certificatePem } from './certificate.ts';

/** A key with numbers of these sizes in bytes. */
function rsaKey(modulus: number, exponent: number) {
  const number = (bytes: number) =>
    Buffer.concat([Buffer.from([0xc0]), randomBytes(bytes - 2), Buffer.from([1])]);
  const [n, e] = [number(modulus), number(exponent)].map((one) => one.toString('base64url'));
  const key = { kty: 'RSA', n: n ?? '', e: e ?? '' };
  return createPublicKey({ key, format: 'jwk' });
}

describe('the certificate of a SAML provider', () => {
  it('the certificate of a SAML provider is refused if its key has a long exponent, in little time', () => {
    const usual = newCertificate({ publicKey: rsaKey(256, 8) });
    expect(certificatePem(usual.base64, 'certificates.0', new Date())).toBe(usual.certificate);
    for (const publicKey of [rsaKey(256, 9), rsaKey(5_900, 5_800)]) {
      const { base64 } = newCertificate({ publicKey });
      const before = threadCpuMs();
      // As many as the settings may contain.
      for (let at = 0; at < 10; at += 1) {
        expect(() => certificatePem(base64, 'certificates.0', new Date())).toThrow(
          'must have an RSA key with an exponent of at most 64 bits',
        );
      }
      expect(threadCpuMs() - before).toBeLessThan(50);
    }
  });
});
