import { createHash, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PUBLIC_ID_LENGTH = 12;
/** 43 characters of 62 are 256 bits. */
const SECRET_LENGTH = 43;
const FORMAT = /^cspm_([A-Za-z0-9]{12})_([A-Za-z0-9]{43})$/;

/** What begins so is always a per-user key, never the global one. */
export const API_KEY_PREFIX = 'cspm_';

export interface ApiKeySecret {
  /** The key as its owner sends it. */
  readonly key: string;
  readonly publicId: string;
  /** SHA-256 of the secret part. A fast hash is right for 256 random bits. */
  readonly secretHash: Buffer;
}

export function newApiKey(): ApiKeySecret {
  return secretOf(randomText(PUBLIC_ID_LENGTH), randomText(SECRET_LENGTH));
}

/** @returns null for what is not a per-user key by its form. */
export function parseApiKey(key: string): ApiKeySecret | null {
  const [, publicId, secret] = FORMAT.exec(key) ?? [];
  return publicId === undefined || secret === undefined ? null : secretOf(publicId, secret);
}

/** Enough of a key to recognise it by. */
export function apiKeyPrefix(publicId: string): string {
  return API_KEY_PREFIX + publicId;
}

function secretOf(publicId: string, secret: string): ApiKeySecret {
  return {
    key: `${API_KEY_PREFIX}${publicId}_${secret}`,
    publicId,
    secretHash: createHash('sha256').update(secret).digest(),
  };
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
