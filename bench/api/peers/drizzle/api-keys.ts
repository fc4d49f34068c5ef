import { eq } from 'drizzle-orm';
import { type Principal, presentedKey, principalOf } from '../service/principal.ts';
import { db } from './client.ts';
import { apiKeys } from './tables.ts';

/** The principal of a key, queried each time; null: none. */
export async function authenticate(header: unknown): Promise<Principal | null> {
  const presented = presentedKey(header);
  if (presented === null) return null;
  const stored = await db.query.apiKeys.findFirst({
    where: eq(apiKeys.publicId, presented.publicId),
    with: { membership: { with: { user: true, tenant: true } } },
  });
  return principalOf(stored, presented.secret);
}
