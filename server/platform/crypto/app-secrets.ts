import { createHash, hkdfSync } from 'node:crypto';

export interface DerivedKey {
  /** Identifies the secret of the key without revealing it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Keys for one purpose, derived from each application secret; the first one is in use, the others are being retired.
 */
export interface KeyRing {
  readonly current: DerivedKey;
  find(id: string): DerivedKey | undefined;
}

const KEY_BYTES = 32;

/** Derives 256-bit keys for a purpose (HKDF with SHA-256, RFC 5869), so that no key serves two purposes. */
export function keyRing(appSecrets: readonly string[], purpose: string): KeyRing {
  const keys = appSecrets.map((secret) => ({
    id: createHash('sha256').update(`key id\0${secret}`).digest('hex').slice(0, 8),
    bytes: new Uint8Array(hkdfSync('sha256', secret, '', `cspm ${purpose}`, KEY_BYTES)),
  }));
  const [current] = keys;
  if (current === undefined) throw new Error('No application secret is configured');
  const byId = new Map(keys.map((key) => [key.id, key]));
  return { current, find: (id) => byId.get(id) };
}
