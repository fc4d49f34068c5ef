import { DerReader } from './der-reader.ts';

/** With a key of 8,192 bits, one signature blocks the event loop for more than 50 ms. */
export const RSA_BITS = { least: 2_048, most: 4_096 };
const PEM_MAX = 16 * 1024;
/** OpenSSL verifies with no larger exponent if the modulus has more than 3,072 bits. */
const EXPONENT_BITS_MAX = 64;

const PEM = /-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END \1PRIVATE KEY-----/;
const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const SEQUENCE = 0x30;
/** `rsaEncryption` with the parameters NULL (RFC 8017 §A.1). */
const RSA_ENCRYPTION = Buffer.from('06092a864886f70d0101010500', 'hex');

/**
 * Reads an RSA key of two primes in PEM, as PKCS #8 or PKCS #1, and writes it as PKCS #1. Give OpenSSL only the result:
 * decoding a DSA key and signing with a long RSA exponent can each block the event loop for seconds. With numbers
 * within the bounds, a signature takes at most four times as long as with a real key of 4,096 bits.
 * @returns null when it is another kind of key, or a number exceeds its bound
 */
export function boundedRsaKey(pem: string): string | null {
  if (pem.length > PEM_MAX) return null;
  const [, pkcs1, base64] = PEM.exec(pem) ?? [];
  if (base64 === undefined) return null;
  try {
    const der = Buffer.from(base64, 'base64');
    const key = pkcs1 === undefined ? contentsOfPkcs8(der) : der;
    return isBounded(key) ? pemOf(key) : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** RFC 5958 §2. Attributes after the key are dropped. */
function contentsOfPkcs8(der: Uint8Array): Uint8Array {
  const outer = new DerReader(der);
  const info = new DerReader(outer.contents(SEQUENCE));
  info.contents(INTEGER);
  if (!RSA_ENCRYPTION.equals(info.contents(SEQUENCE))) throw new RangeError('another algorithm');
  return info.contents(OCTET_STRING);
}

/** RFC 8017 §A.1.2. */
function isBounded(der: Uint8Array): boolean {
  const outer = new DerReader(der);
  const numbers = new DerReader(outer.contents(SEQUENCE));
  const next = () => unsigned(numbers.contents(INTEGER));
  const version = next();
  const [modulus, publicExponent, privateExponent] = [next(), next(), next()];
  const [prime1, prime2] = [next(), next()];
  const [exponent1, exponent2, coefficient] = [next(), next(), next()];
  // Another version has further primes.
  if (version !== 0n || !numbers.isAtEnd || !outer.isAtEnd) return false;
  const bits = bitsOf(modulus);
  return (
    bits >= RSA_BITS.least &&
    bits <= RSA_BITS.most &&
    bitsOf(publicExponent) <= EXPONENT_BITS_MAX &&
    privateExponent < modulus &&
    prime1 * prime2 === modulus &&
    2 * Math.max(bitsOf(prime1), bitsOf(prime2)) <= bits + 1 &&
    exponent1 < prime1 &&
    exponent2 < prime2 &&
    coefficient < prime1
  );
}

/** @throws {RangeError} when the integer is negative, or not in DER */
function unsigned(bytes: Uint8Array): bigint {
  const [first, second] = bytes;
  if (first === undefined || first >= 0x80) throw new RangeError('negative or empty');
  if (first === 0 && second !== undefined && second < 0x80) throw new RangeError('leading zero');
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function bitsOf(number: bigint): number {
  return number.toString(2).length;
}

function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----', ''].join(
    '\n',
  );
}
