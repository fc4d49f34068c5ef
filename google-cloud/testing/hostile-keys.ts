import { type KeyObject, randomBytes } from 'node:crypto';

const ZERO = Buffer.from([0]);
const DSA = Buffer.from('06072a8648ce380401', 'hex');

/** A DSA key in PKCS #8 whose decoding makes OpenSSL raise 2 to the power of a number of this size. */
export function dsaKey(bytes: number): string {
  const parameters = sequence(integer(odd(bytes)), integer(odd(32)), integer(Buffer.from([2])));
  const key = tlv(0x04, integer(odd(bytes)));
  return pem('PRIVATE KEY', sequence(integer(ZERO), sequence(DSA, parameters), key));
}

/** The numbers of an RSA key (RFC 8017 §A.1.2). `change` replaces some of them. */
export function rsaKey(numbers: RsaNumbers, change: Partial<RsaNumbers> = {}): string {
  const all = { ...numbers, ...change };
  const order = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const;
  const body = [integer(ZERO), ...order.map((name) => integer(all[name]))];
  return pem('RSA PRIVATE KEY', sequence(...body));
}

export type RsaNumbers = Readonly<
  Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', Uint8Array>
>;

/** The numbers of a real key. */
export function numbersOf(key: KeyObject): RsaNumbers {
  const members = Object.entries(key.export({ format: 'jwk' }));
  const numbers = members.map(([name, value]) => [name, Buffer.from(String(value), 'base64url')]);
  return Object.fromEntries(numbers) as RsaNumbers;
}

/** A random odd number of this size. */
export function odd(bytes: number): Buffer {
  const number = randomBytes(bytes);
  number.writeUInt8(number.readUInt8(0) | 0x80, 0);
  number.writeUInt8(number.readUInt8(bytes - 1) | 1, bytes - 1);
  return number;
}

function integer(number: Uint8Array): Buffer {
  return tlv(0x02, Buffer.concat((number[0] ?? 0) < 0x80 ? [number] : [ZERO, number]));
}

function sequence(...members: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(members));
}

/** Tag, length, value (X.690 §8.1). */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : bytes)]), value]);
}

function pem(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`;
}
