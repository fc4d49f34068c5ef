import { resealedKey } from '../modules/sources/index.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import type { Statement } from '../platform/database/tenant-database.ts';
import type { Operator } from './operator.ts';

export interface ResealedSources {
  readonly anew: number;
  readonly all: number;
  /** Encrypted with a secret that is not configured. */
  readonly lost: number;
}

/**
 * Re-encrypts the keys of inventory sources with the current APP_SECRET, tenant by tenant, as row-level security applies
 * to the owner of the table too. A source that is set meanwhile is locked or already new.
 */
export async function resealSources(operator: Operator): Promise<ResealedSources> {
  const keys = keyRing(await operator.appSecrets(), 'inventory source');
  const result = { anew: 0, all: 0, lost: 0 };
  const tenants = await operator.pool.query<{ id: string }>(
    'SELECT id FROM identity.tenants ORDER BY id',
  );
  for (const { id: tenantId } of tenants.rows) {
    await operator.rows.write(tenantId, async (db) => {
      for (const { projectId, principal, credential } of await db.sql<Sealed>(SOURCES, [
        tenantId,
      ])) {
        if (credential === null) continue;
        result.all += 1;
        const sealed = resealedKey(keys, { tenantId, projectId, principal }, credential);
        if (sealed === null) result.lost += 1;
        if (sealed === null || sealed === credential) continue;
        await db.sql(RESEAL, [tenantId, projectId, sealed]);
        result.anew += 1;
      }
    });
  }
  return result;
}

interface Sealed {
  projectId: string;
  principal: string;
  credential: Buffer | null;
}

const SOURCES: Statement = {
  name: 'reseal-sources-read',
  reason: 'operator',
  text: `SELECT project_id AS "projectId", principal, credential FROM sources
         WHERE tenant_id = $1 AND credential IS NOT NULL
         ORDER BY project_id FOR NO KEY UPDATE`,
};
const RESEAL: Statement = {
  name: 'reseal-sources-write',
  reason: 'operator',
  text: 'UPDATE sources SET credential = $3 WHERE tenant_id = $1 AND project_id = $2',
};
