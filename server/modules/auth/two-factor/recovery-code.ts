import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
/** Without i, l, o and u, which are easily misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 24 characters of 5 bits are 120 bits; a fast hash suffices from 112 bits (ASVS 5.0, 6.5.2). */
const LENGTH = 24;
const GROUPS = /.{6}/g;

/** A new set of codes in the form shown to the user. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => (randomText().match(GROUPS) ?? []).join('-'));
}

/** The stored form of a code: SHA-256 of it in lower case without hyphens. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replaceAll('-', '')).digest();
}

/** 256 is a multiple of 32, so all characters are equally likely. */
function randomText(): string {
  return [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
