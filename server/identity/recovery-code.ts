import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
/** Without the letters i, l, o and u, which are misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 24 characters of 32 are 120 bits, more than the 112 for which a fast hash will do (ASVS 5.0, 6.5.2). */
const LENGTH = 24;
const GROUPS = /.{6}/g;

/** A new set of codes, as they are shown to their owner. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => (randomText().match(GROUPS) ?? []).join('-'));
}

/** What is kept of a code: SHA-256 of it in lower case and without its hyphens. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replaceAll('-', '')).digest();
}

/** 256 is a multiple of 32, so every character is as likely as every other. */
function randomText(): string {
  return [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
