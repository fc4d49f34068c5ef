import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './app-secrets.ts';

/**
 * AES-256-GCM (NIST SP 800-38D) with a 96-bit random nonce and a 128-bit tag. Layout: key id, nonce, tag, ciphertext.
 */
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and authenticates text for storage. Opening it requires the same `context`. */
export function seal(keys: KeyRing, context: string, plain: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.current.bytes, nonce);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from(keys.current.id, 'hex'), nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts what `seal` encrypted.
 * @returns null when it was sealed under a removed secret, for another context, or has been tampered with.
 */
export function unseal(keys: KeyRing, context: string, sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed);
  const key = keys.find(bytes.subarray(0, ID_BYTES).toString('hex'));
  if (key === undefined || bytes.length < ID_BYTES + NONCE_BYTES + TAG_BYTES) return null;
  const nonceEnd = ID_BYTES + NONCE_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(ID_BYTES, nonceEnd));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(nonceEnd, nonceEnd + TAG_BYTES));
  try {
    const opened = decipher.update(bytes.subarray(nonceEnd + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** Whether it was sealed with the current secret, not with one that is being retired. */
export function isSealedUnderCurrent(keys: KeyRing, sealed: Uint8Array): boolean {
  return Buffer.from(sealed).subarray(0, ID_BYTES).toString('hex') === keys.current.id;
}
