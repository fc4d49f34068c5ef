import { createHash, timingSafeEqual } from 'node:crypto';

/** The caller and the tenant. */
export interface Principal {
  readonly apiKeyId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: string;
}

export interface Presented {
  readonly publicId: string;
  readonly secret: string;
}

const FORMAT = /^cspm_([A-Za-z0-9]{12})_([A-Za-z0-9]{43})$/;

/** The two parts of a key; null: not in the format of a key. */
export function presentedKey(header: unknown): Presented | null {
  const [, publicId, secret] = FORMAT.exec(String(header)) ?? [];
  return publicId === undefined || secret === undefined ? null : { publicId, secret };
}

/** A key as stored in the database, with its principal. */
interface StoredKey {
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly membership: {
    readonly role: string;
    readonly status: string;
    readonly user: {
      readonly id: string;
      readonly email: string;
      readonly disabledAt: Date | null;
    };
    readonly tenant: { readonly id: string };
  };
}

/** Null: the key is wrong, expired, or its user is gone. */
export function principalOf(
  stored: StoredKey | null | undefined,
  secret: string,
): Principal | null {
  if (stored === null || stored === undefined || stored.revokedAt !== null) return null;
  if (stored.expiresAt !== null && stored.expiresAt <= new Date()) return null;
  const hash = createHash('sha256').update(secret).digest();
  if (!timingSafeEqual(hash, stored.secretHash)) return null;
  const { user, tenant, role, status } = stored.membership;
  if (status !== 'active' || user.disabledAt !== null) return null;
  return { apiKeyId: stored.id, tenantId: tenant.id, userId: user.id, email: user.email, role };
}
