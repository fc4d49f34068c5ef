import { resealedKey } from '../modules/sources/index.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import type { Statement } from '../platform/database/tenant-database.ts';
import type { Operator } from './operator.ts';
import { resealTenants } from './reseal-tenants.ts';
import type { Resealed } from './resealed.ts';

/** Re-encrypts the keys of inventory sources with the current APP_SECRET. A source that is set meanwhile is locked or already new. */
export async function resealSources(operator: Operator): Promise<Resealed> {
  const keys = keyRing(await operator.appSecrets(), 'inventory source');
  return resealTenants(operator, async (db) => {
    const { tenantId } = db;
    const lost: string[] = [];
    let [anew, all] = [0, 0];
    for (const row of await db.sql<Sealed>(SOURCES, [tenantId])) {
      const { projectId, projectName, principal, credential } = row;
      if (credential === null) continue;
      all += 1;
      const sealed = resealedKey(keys, { tenantId, projectId, principal }, credential);
      if (sealed === null) lost.push(`project ${projectName} of tenant ${tenantId}`);
      if (sealed === null || sealed === credential) continue;
      await db.sql(RESEAL, [tenantId, projectId, sealed]);
      anew += 1;
    }
    return { anew, all, lost };
  });
}

interface Sealed {
  projectId: string;
  projectName: string;
  principal: string;
  credential: Buffer | null;
}

const SOURCES: Statement = {
  name: 'reseal-sources-read',
  reason: 'operator',
  text: `SELECT s.project_id AS "projectId", p.name AS "projectName", s.principal, s.credential
         FROM sources s JOIN projects p ON p.tenant_id = s.tenant_id AND p.id = s.project_id
         WHERE s.tenant_id = $1 AND s.credential IS NOT NULL
         ORDER BY s.project_id FOR NO KEY UPDATE OF s`,
};
const RESEAL: Statement = {
  name: 'reseal-sources-write',
  reason: 'operator',
  text: 'UPDATE sources SET credential = $3 WHERE tenant_id = $1 AND project_id = $2',
};
