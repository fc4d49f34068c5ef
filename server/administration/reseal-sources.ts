import { resealedKey } from '../modules/sources/index.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
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
  const client = await operator.pool.connect();
  try {
    for (const { id: tenantId } of tenants.rows) {
      await client.query('BEGIN');
      await client.query<{ set_config: string }>("SELECT set_config('app.tenant_id', $1, true)", [
        tenantId,
      ]);
      const { rows } = await client.query<Sealed>(SOURCES, [tenantId]);
      for (const { projectId, principal, credential } of rows) {
        if (credential === null) continue;
        result.all += 1;
        const sealed = resealedKey(keys, { tenantId, projectId, principal }, credential);
        if (sealed === null) result.lost += 1;
        if (sealed === null || sealed === credential) continue;
        await client.query(RESEAL, [tenantId, projectId, sealed]);
        result.anew += 1;
      }
      await client.query('COMMIT');
    }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
  return result;
}

interface Sealed {
  projectId: string;
  principal: string;
  credential: Buffer | null;
}

const SOURCES = `
  SELECT project_id AS "projectId", principal, credential FROM sources
  WHERE tenant_id = $1 AND credential IS NOT NULL
  ORDER BY project_id FOR NO KEY UPDATE`;

const RESEAL = 'UPDATE sources SET credential = $3 WHERE tenant_id = $1 AND project_id = $2';
