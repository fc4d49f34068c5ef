import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { threadCpuMs } from '../tests/kit/thread-cpu.ts';
import { GoogleCloudError, parseServiceAccountKey } from './index.ts';
import { dsaKey, numbersOf, odd, type RsaNumbers, rsaKey } from './testing/hostile-keys.ts';

/** The private key as it is kept from a key file; null if the file is refused. */
function acceptedKey(privateKey: string): string | null {
  const clientEmail = 'x@shop-prod.iam.gserviceaccount.com';
  const file = { type: 'service_account', client_email: clientEmail, private_key: privateKey };
  try {
    return parseServiceAccountKey(file).privateKey;
  } catch (error) {
    if (error instanceof GoogleCloudError && error.code === 'invalid_input') return null;
    throw error;
  }
}

const cpuMsOf = (work: () => unknown): number => {
  const before = threadCpuMs();
  work();
  return threadCpuMs() - before;
};

let numbers: RsaNumbers;
beforeAll(() => {
  numbers = numbersOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey);
});

describe('a private key', () => {
  it.each([2_048, 4_096])(
    'a real RSA key of %i bits is accepted as PKCS #8 and as PKCS #1, and signs',
    (modulusLength) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
      for (const type of ['pkcs8', 'pkcs1'] as const) {
        const text = privateKey.export({ type, format: 'pem' }).toString();
        const given = [text, text.replaceAll('\n', '\r\n'), `Bag Attributes\n${text}`];
        for (const pem of given) {
          const key = acceptedKey(pem) ?? '';
          const signature = sign('sha256', Buffer.from('x'), key);
          expect(verify('sha256', Buffer.from('x'), createPublicKey(privateKey), signature)).toBe(
            true,
          );
          expect(acceptedKey(key)).toBe(key);
        }
      }
    },
  );

  it('a private key of another kind is refused', () => {
    const others = [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('ed25519'),
      generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }),
      generateKeyPairSync('rsa', { modulusLength: 1_024 }),
    ];
    for (const { privateKey } of others) {
      expect(acceptedKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toBe(
        null,
      );
    }
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc' } as const;
    const sealed = privateKey.export({ ...encrypted, passphrase: 'x' }).toString();
    const open = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const text of [sealed, open, '', 'x'.repeat(100_000)]) {
      expect(acceptedKey(text)).toBe(null);
    }
  });

  it('a private key is refused before OpenSSL computes with its numbers, so that no key blocks the event loop', () => {
    const key = dsaKey(1_536);
    // What it costs to let OpenSSL decode it.
    expect(cpuMsOf(() => createPrivateKey(key))).toBeGreaterThan(100);
    for (const text of [key, dsaKey(4_500), key.replaceAll('PRIVATE KEY', 'RSA PRIVATE KEY')]) {
      expect(cpuMsOf(() => expect(acceptedKey(text)).toBe(null))).toBeLessThan(50);
    }
  });

  it('an RSA key is refused unless each of its numbers is bounded by the modulus', () => {
    expect(acceptedKey(rsaKey(numbers))).not.toBe(null);
    const changes: Partial<RsaNumbers>[] = [
      { d: odd(10_000) },
      { d: odd(257) },
      { e: odd(9) },
      { n: odd(256) },
      { n: odd(1_024) },
      { p: odd(128) },
      { q: odd(3_000) },
      { dp: odd(129) },
      { dq: odd(10_000) },
      { qi: odd(129) },
      // The product is right, and one number has nearly all bits.
      { p: numbers.n, q: Buffer.from([1]) },
    ];
    for (const change of changes) expect(acceptedKey(rsaKey(numbers, change))).toBe(null);
  });

  it('an accepted RSA key signs within 50 ms, even if its primes are composite', () => {
    const half = () => Buffer.alloc(256, odd(256)).fill(0xff, 0, 1);
    const [p, q] = [half(), half()];
    const product = (BigInt(`0x${p.toString('hex')}`) * BigInt(`0x${q.toString('hex')}`)).toString(
      16,
    );
    const n = Buffer.from(product, 'hex');
    const small = Buffer.alloc(256, 0x7f);
    const d = Buffer.alloc(512, 0x7f);
    const e = Buffer.alloc(8, 0xff);
    const key = acceptedKey(rsaKey(numbers, { n, e, d, p, q, dp: small, dq: small, qi: small }));
    sign('sha256', Buffer.from('x'), key ?? '');
    const attempts = [1, 2, 3].map(() =>
      cpuMsOf(() => sign('sha256', Buffer.from('x'), key ?? '')),
    );
    expect(Math.min(...attempts)).toBeLessThan(50);
  });

  it('a private key with lengths or integers that are not DER is refused', () => {
    const base64 = rsaKey(numbers).split('\n')[1] ?? '';
    const der = Buffer.from(base64, 'base64');
    const pem = (bytes: Buffer) =>
      `-----BEGIN RSA PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END RSA PRIVATE KEY-----`;
    expect(acceptedKey(pem(der))).not.toBe(null);
    for (let at = 0; at < 12; at += 1) {
      for (const value of [0x00, 0x7f, 0x80, 0x84, 0xff]) {
        const changed = Buffer.from(der);
        if (changed[at] === value) continue;
        changed[at] = value;
        expect(acceptedKey(pem(changed)), `${at} ${value}`).toBe(null);
      }
    }
    for (const bytes of [der.subarray(0, -1), Buffer.concat([der, Buffer.alloc(1)])]) {
      expect(acceptedKey(pem(bytes))).toBe(null);
    }
  });
});
