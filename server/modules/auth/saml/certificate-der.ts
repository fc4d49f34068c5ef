import { DerReader } from '@cspm/google-cloud/der-reader';

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_IDENTIFIER = 0x06;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const VERSION = 0xa0;
/** `rsaEncryption` (RFC 8017 §A.1). */
const RSA_ENCRYPTION = Buffer.from('2a864886f70d010101', 'hex');

export interface RsaKeySize {
  readonly modulusBits: number;
  readonly exponentBits: number;
}

interface CertificateFacts {
  /** An invalid date when it cannot be read, as `ends`. */
  readonly begins: Date;
  readonly ends: Date;
  /** Null when the key is not an RSA key, or one that is restricted to RSASSA-PSS. */
  readonly key: RsaKeySize | null;
}

/**
 * Reads what decides whether a certificate is usable, in linear time (RFC 5280 §4.1). Give OpenSSL only certificates with
 * usable keys: long exponents and some other kinds of keys take quadratic time.
 * @throws {RangeError} when this is not exactly one certificate in DER.
 */
export function readCertificate(der: Uint8Array): CertificateFacts {
  const outer = new DerReader(der);
  const signed = new DerReader(new DerReader(outer.contents(SEQUENCE)).contents(SEQUENCE));
  if (!outer.isAtEnd) throw new RangeError('more than one certificate');
  if (signed.nextTag === VERSION) signed.contents(VERSION);
  signed.contents(INTEGER);
  // The algorithm of the signature, and the issuer.
  signed.contents(SEQUENCE);
  signed.contents(SEQUENCE);
  const validity = new DerReader(signed.contents(SEQUENCE));
  const begins = nextTime(validity);
  const ends = nextTime(validity);
  // The subject.
  signed.contents(SEQUENCE);
  return { begins, ends, key: keySizeIn(new DerReader(signed.contents(SEQUENCE))) };
}

const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

/** RFC 5280 §4.1.2.5: in UTC, with seconds. A year of two digits is between 1950 and 2049. */
function nextTime(validity: DerReader): Date {
  const isShort = validity.nextTag === UTC_TIME;
  const bytes = validity.contents(isShort ? UTC_TIME : GENERALIZED_TIME);
  const digits = Buffer.from(bytes).toString('latin1');
  const century = digits < '5' ? '20' : '19';
  const parts = TIME.exec(isShort ? century + digits : digits);
  if (parts === null) return new Date(Number.NaN);
  const [, year, month, day, hour, minute, second] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function keySizeIn(info: DerReader): RsaKeySize | null {
  const algorithm = new DerReader(info.contents(SEQUENCE));
  if (!RSA_ENCRYPTION.equals(algorithm.contents(OBJECT_IDENTIFIER))) return null;
  // The first byte is the number of unused bits.
  const key = new DerReader(info.contents(BIT_STRING).subarray(1));
  const numbers = new DerReader(key.contents(SEQUENCE));
  const modulusBits = bitsOf(numbers.contents(INTEGER));
  const exponentBits = bitsOf(numbers.contents(INTEGER));
  if (!numbers.isAtEnd || !key.isAtEnd) throw new RangeError('more than two numbers');
  return { modulusBits, exponentBits };
}

/** @throws {RangeError} when the integer is not positive, or not in DER */
function bitsOf(integer: Uint8Array): number {
  const [first, second = 0] = integer;
  if (first === undefined || first >= 0x80) throw new RangeError('negative or empty');
  if (first === 0 && second < 0x80) throw new RangeError('zero or not minimal');
  return integer.length * 8 - (first === 0 ? 8 : Math.clz32(first) - 24);
}
