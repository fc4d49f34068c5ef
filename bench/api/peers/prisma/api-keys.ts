import { type Principal, presentedKey, principalOf } from '../service/principal.ts';
import { prisma } from './client.ts';

/** The principal of a key, queried each time; null: none. */
export async function authenticate(header: unknown): Promise<Principal | null> {
  const presented = presentedKey(header);
  if (presented === null) return null;
  const stored = await prisma.apiKey.findUnique({
    where: { publicId: presented.publicId },
    select: {
      id: true,
      secretHash: true,
      revokedAt: true,
      expiresAt: true,
      membership: {
        select: {
          role: true,
          status: true,
          user: { select: { id: true, email: true, disabledAt: true } },
          tenant: { select: { id: true } },
        },
      },
    },
  });
  return principalOf(stored, presented.secret);
}
