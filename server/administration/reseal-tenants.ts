import { HOME } from '../platform/cells/cell-config.ts';
import { TenantMovingError } from '../platform/cells/tenant-moving.ts';
import type { TenantConnection } from '../platform/database/tenant-database.ts';
import { isOutage, isTenantRefused } from '../platform/database/unavailable.ts';
import type { Operator } from './operator.ts';
import { Owners, type Resealed } from './resealed.ts';

/** What was found and done in one tenant. */
export interface ResealedInTenant {
  readonly anew: number;
  readonly all: number;
  /** Whose secrets cannot be decrypted, once for each secret. */
  readonly lost: readonly string[];
}

/**
 * Re-encrypts secrets tenant by tenant, as row-level security applies to the owner of the table too. A tenant that is being
 * moved or deleted, or whose cell does not answer, does not keep the others from it.
 * @throws {Error} during an outage of the directory database.
 */
export async function resealTenants(
  operator: Operator,
  reseal: (db: TenantConnection) => Promise<ResealedInTenant>,
): Promise<Resealed> {
  const [owners, unavailable] = [new Owners(), new Owners()];
  let [anew, all, lost] = [0, 0, 0];
  const unreachable = new Set<string>();
  const tenants = await operator.pool.query<{ id: string; cell: string | null }>(
    `SELECT t.id, p.cell FROM identity.tenants t LEFT JOIN cells.placements p ON p.tenant_id = t.id
     ORDER BY t.id`,
  );
  for (const { id, cell } of tenants.rows) {
    const place = cell ?? HOME;
    try {
      // Each attempt to reach a cell takes time.
      if (unreachable.has(place)) {
        unavailable.add(id);
        continue;
      }
      const found = await operator.rows.write(id, reseal);
      anew += found.anew;
      all += found.all;
      lost += found.lost.length;
      for (const owner of new Set(found.lost)) owners.add(owner);
    } catch (error) {
      const isAway = place !== HOME && isOutage(error);
      if (!isAway && !isTenantRefused(error) && !(error instanceof TenantMovingError)) throw error;
      if (isAway) unreachable.add(place);
      unavailable.add(id);
    }
  }
  return { anew, all, current: all - lost, lost, owners, unavailable };
}
