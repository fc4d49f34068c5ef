import { openSecret, sealSecret, WEBHOOK_KEYS } from '../modules/webhooks/secret.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import { isSealedUnderCurrent } from '../platform/crypto/seal.ts';
import type { Statement } from '../platform/database/tenant-database.ts';
import type { Operator } from './operator.ts';
import { resealTenants } from './reseal-tenants.ts';
import type { Resealed } from './resealed.ts';

/**
 * Re-encrypts the signing secrets of all webhooks with the current APP_SECRET. A tenant has few, so one transaction for
 * each tenant holds their rows. Safe to repeat and to run while people rotate secrets.
 */
export async function resealWebhooks(operator: Operator): Promise<Resealed> {
  const keys = keyRing(await operator.appSecrets(), WEBHOOK_KEYS);
  return resealTenants(operator, async (db) => {
    const { tenantId } = db;
    const lost: string[] = [];
    let [anew, all] = [0, 0];
    const sealedAnew = (webhookId: string, sealed: Buffer): Buffer => {
      all += 1;
      if (isSealedUnderCurrent(keys, sealed)) return sealed;
      const secret = openSecret(keys, webhookId, sealed);
      if (secret === null) {
        lost.push(`webhook ${webhookId} of tenant ${tenantId}`);
        return sealed;
      }
      anew += 1;
      return sealSecret(keys, webhookId, secret);
    };
    for (const { id, secret, previous_secret: previous } of await db.sql<Sealed>(HOLD, [
      tenantId,
    ])) {
      const resealed = sealedAnew(id, secret);
      const resealedPrevious = previous === null ? null : sealedAnew(id, previous);
      if (resealed === secret && resealedPrevious === previous) continue;
      await db.sql(RESEAL, [tenantId, id, resealed, resealedPrevious]);
    }
    return { anew, all, lost };
  });
}

interface Sealed {
  id: string;
  secret: Buffer;
  previous_secret: Buffer | null;
}

// Written by hand because Prisma Client takes no row locks.
const HOLD: Statement = {
  name: 'webhooks-hold-secrets',
  reason: 'lock',
  text: `SELECT id, secret, previous_secret FROM webhooks WHERE tenant_id = $1
         ORDER BY id FOR NO KEY UPDATE`,
};
const RESEAL: Statement = {
  name: 'webhook-reseal',
  reason: 'operator',
  text: 'UPDATE webhooks SET secret = $3, previous_secret = $4 WHERE tenant_id = $1 AND id = $2',
};
