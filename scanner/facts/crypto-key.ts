import { child, isTrue, type JsonObject, text } from '../json.ts';
import { enumAt, isEnum } from './enumeration.ts';

/*
 * Fields: cloudkms v1, discovery revision 20260917.
 */

/**
 * Whether Cloud KMS can rotate the key automatically: a symmetric encryption key whose primary version is in use. A
 * record without a primary version counts as one.
 */
export function canRotate(key: JsonObject): boolean {
  if (!isEnum(key.purpose, 'ENCRYPT_DECRYPT')) return false;
  const state = enumAt(child(key, 'primary'), 'state');
  return state === null || state === 'ENABLED';
}

/**
 * Whether the versions of the key come from elsewhere: from an external key manager or by import. Cloud KMS cannot create
 * them by itself in general, so a rotation period is no certain fix.
 */
export function hasForeignVersions(key: JsonObject): boolean {
  const level =
    enumAt(child(key, 'versionTemplate'), 'protectionLevel') ??
    enumAt(child(key, 'primary'), 'protectionLevel');
  return isTrue(key, 'importOnly') || level === 'EXTERNAL' || level === 'EXTERNALVPC';
}

/** In seconds; null if the key has no automatic rotation. In JSON a duration is written `7776000s`. */
export function rotationPeriodSeconds(key: JsonObject): number | null {
  const parts = /^(\d+(?:\.\d+)?)s$/.exec(text(key, 'rotationPeriod') ?? '');
  return parts === null ? null : Number(parts[1]);
}
