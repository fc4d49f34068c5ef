import { createHash, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PUBLIC_ID_LENGTH = 12;
/** 43 characters from an alphabet of 62 hold 256 bits. */
const SECRET_LENGTH = 43;
const FORMAT = /^cspm_([A-Za-z0-9]{12})_([A-Za-z0-9]{43})$/;

/** Every per-user key starts with this prefix; the global key must not. */
export const API_KEY_PREFIX = 'cspm_';

export interface ApiKeySecret {
  /** The complete key, as the client sends it. */
  readonly key: string;
  readonly publicId: string;
  /** SHA-256 of the secret part. A fast hash is safe because the secret has 256 random bits. */
  readonly secretHash: Buffer;
}

export function newApiKey(): ApiKeySecret {
  return secretOf(randomText(PUBLIC_ID_LENGTH), randomText(SECRET_LENGTH));
}

/** @returns null when the text does not have the form of a per-user key. */
export function parseApiKey(key: string): ApiKeySecret | null {
  const [, publicId, secret] = FORMAT.exec(key) ?? [];
  return publicId === undefined || secret === undefined ? null : secretOf(publicId, secret);
}

/** The start of a key, shown so that its owner can recognize it. */
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
