import { openSecret, sealSecret, WEBHOOK_KEYS } from '../modules/webhooks/secret.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import { isSealedUnderCurrent } from '../platform/crypto/seal.ts';
import type { Statement, TenantConnection } from '../platform/database/tenant-database.ts';
import type { Operator } from './operator.ts';
import { Owners, type Resealed } from './resealed.ts';

/**
 * Re-encrypts the signing secrets of all webhooks with the current APP_SECRET. A tenant has few, so one transaction for
 * each tenant holds their rows. Safe to repeat and to run while people rotate secrets.
 */
export async function resealWebhooks(operator: Operator): Promise<Resealed> {
  const keys = keyRing(await operator.appSecrets(), WEBHOOK_KEYS);
  const owners = new Owners();
  let [anew, all, lost] = [0, 0, 0];
  const sealedAnew = (webhookId: string, sealed: Buffer): Buffer => {
    all += 1;
    if (isSealedUnderCurrent(keys, sealed)) return sealed;
    const secret = openSecret(keys, webhookId, sealed);
    if (secret === null) {
      lost += 1;
      return sealed;
    }
    anew += 1;
    return sealSecret(keys, webhookId, secret);
  };
  const { rows: tenants } = await operator.pool.query<{ id: string }>(
    'SELECT id FROM identity.tenants ORDER BY id',
  );
  for (const { id: tenantId } of tenants) {
    await operator.rows.write(tenantId, async (db: TenantConnection) => {
      for (const { id, secret, previous_secret: previous } of await db.sql<Sealed>(HOLD, [
        tenantId,
      ])) {
        const lostBefore = lost;
        const resealed = sealedAnew(id, secret);
        const resealedPrevious = previous === null ? null : sealedAnew(id, previous);
        if (lost > lostBefore) owners.add(`webhook ${id} of tenant ${tenantId}`);
        if (resealed === secret && resealedPrevious === previous) continue;
        await db.sql(RESEAL, [tenantId, id, resealed, resealedPrevious]);
      }
    });
  }
  return { anew, all, current: all - lost, lost, owners };
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
