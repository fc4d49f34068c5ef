import { child, type JsonObject, text } from '../json.ts';
import { enumAt, isEnum } from './enumeration.ts';

/**
 * Whether Cloud KMS could rotate the key by itself: one that encrypts and decrypts, and whose primary version is in
 * use. A record without a primary version is taken for one that is.
 */
export function canRotate(key: JsonObject): boolean {
  if (!isEnum(key.purpose, 'ENCRYPT_DECRYPT')) return false;
  const state = enumAt(child(key, 'primary'), 'state');
  return state === null || state === 'ENABLED';
}

/** In seconds; null where the key is not rotated by itself. In JSON a duration is written `7776000s`. */
export function rotationPeriodSeconds(key: JsonObject): number | null {
  const parts = /^(\d+(?:\.\d+)?)s$/.exec(text(key, 'rotationPeriod') ?? '');
  return parts === null ? null : Number(parts[1]);
}
