import { eq } from 'drizzle-orm';
import { type Principal, presentedKey, principalOf } from '../service/principal.ts';
import { db } from './client.ts';
import { apiKeys } from './tables.ts';

/** Who a key stands for, asked of the database each time; null: nobody. */
export async function authenticate(header: unknown): Promise<Principal | null> {
  const presented = presentedKey(header);
  if (presented === null) return null;
  const stored = await db.query.apiKeys.findFirst({
    where: eq(apiKeys.publicId, presented.publicId),
    with: { membership: { with: { user: true, tenant: true } } },
  });
  return principalOf(stored, presented.secret);
}
