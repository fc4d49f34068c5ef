import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { newCertificate } from './certificate.ts';

const BYTES = 384;

/**
 * A certificate of 127.0.0.1 with a chain whose signatures take OpenSSL about 4 ms each, because the public exponents
 * are as long as the moduli. None of them is valid, which OpenSSL notices only after computing it.
 */
export function costlyCertificates(signatures: number): { key: string; cert: string } {
  const keys = generateKeyPairSync('rsa', { modulusLength: BYTES * 8 });
  const n = randomBytes(BYTES).fill(255, 0, 2);
  n[BYTES - 1] = 255;
  const e = Buffer.alloc(BYTES, 255);
  e[0] = 127;
  const [modulus, exponent] = [n.toString('base64url'), e.toString('base64url')];
  const publicKey = createPublicKey({
    key: { kty: 'RSA', n: modulus, e: exponent },
    format: 'jwk',
  });
  const own = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ofReceiver = { publicKey: own.publicKey, issuer: '1', address: '127.0.0.1' };
  const leaf = newCertificate({ keys, ...ofReceiver }).certificate;
  const chain = Array.from({ length: signatures }, (_, i) => {
    const issuer = i + 1 < signatures ? `${i + 2}` : `${i + 1}`;
    return newCertificate({ keys, publicKey, name: `${i + 1}`, issuer }).certificate;
  });
  const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: [leaf, ...chain].join('') };
}
