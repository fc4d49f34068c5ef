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

/** The certificate with other bytes, as many, in place of these. Its signature is not checked. */
function altered(base64: string, from: Buffer, to: Buffer): string {
  const der = Buffer.from(base64, 'base64');
  expect(from.length).toBe(to.length);
  const at = der.lastIndexOf(from);
  expect(at).toBeGreaterThan(0);
  to.copy(der, at);
  return der.toString('base64');
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');

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

  it('the certificate of a SAML provider is refused if its key is restricted to RSASSA-PSS, in little time for any exponent', () => {
    const { base64 } = newCertificate({ publicKey: rsaKey(256, 11_500) });
    const pss = altered(base64, bytes('2a864886f70d0101010500'), bytes('2a864886f70d01010a3000'));
    const before = threadCpuMs();
    for (let at = 0; at < 10; at += 1) {
      expect(() => certificatePem(pss, 'certificates.0', new Date())).toThrow(
        'must have an RSA key of at least 2048 bits',
      );
    }
    expect(threadCpuMs() - before).toBeLessThan(50);
  });

  it('the certificate of a SAML provider is refused for its kind of key also when OpenSSL cannot read the key', () => {
    const { base64 } = newCertificate({ curve: 'prime256v1' });
    const unknown = altered(base64, bytes('2a8648ce3d030107'), bytes('2a8648ce3d030177'));
    for (const text of [base64, unknown]) {
      expect(() => certificatePem(text, 'certificates.0', new Date())).toThrow(
        'must have an RSA key of at least 2048 bits',
      );
    }
  });

  it('the certificate of a SAML provider is the one that was checked, not another one in its text', () => {
    const inner = newCertificate().certificate;
    const outer = newCertificate({ name: `\n${inner}` });
    // OpenSSL alone reads the inner one.
    expect(outer.certificate).toBe(inner);
    const pem = certificatePem(outer.base64, 'certificates.0', new Date());
    expect(pem.replaceAll(/-----[^-]+-----|\n/g, '')).toBe(outer.base64);
  });

  it.each(['991332256199Z', '260230abcdefZ', '49123123+2400'])(
    'the certificate of a SAML provider is refused if it begins or ends at %s, which is no time',
    (text) => {
      const [from, to] = [new Date('2024-03-04T05:06:07Z'), new Date('2044-03-04T05:06:07Z')];
      const { base64, certificate } = newCertificate({ from, to });
      const now = new Date('2026-01-01T00:00:00Z');
      expect(certificatePem(base64, 'certificates.0', now)).toBe(certificate);
      for (const time of ['240304050607Z', '440304050607Z']) {
        const forged = altered(base64, Buffer.from(time), Buffer.from(text));
        expect(() => certificatePem(forged, 'certificates.0', now)).toThrow(
          'contains a certificate with an invalid validity period',
        );
      }
    },
  );

  it('the certificate of a SAML provider is accepted until the second that it ends at, and no longer', () => {
    const ends = new Date('2044-03-04T05:06:07Z');
    const { base64, certificate } = newCertificate({ from: new Date('1960-03-04'), to: ends });
    const before = new Date(ends.getTime() - 1);
    expect(certificatePem(base64, 'certificates.0', before)).toBe(certificate);
    expect(() => certificatePem(base64, 'certificates.0', ends)).toThrow(
      'contains a certificate that expired at 2044-03-04T05:06:07.000Z',
    );
  });
});
