import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { findingsOf } from './muting.ts';

/** A mute counts as expiring this many days before its end. */
export const EXPIRING_WITHIN_DAYS = 7;

export interface ExpiringMutes {
  readonly count: number;
  /** When the first of them expires. */
  readonly firstAt: Date;
}

/**
 * Counts the mutes of projects that expire soon: mutes that name the project, and mutes whose end would make one of its
 * open findings count again. Expired mutes are not included.
 * @param projectIds of one tenant; projects without such mutes are left out of the result.
 */
export async function expiringMutes(
  db: TenantConnection,
  projectIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ExpiringMutes>> {
  const rows = await db.sql<ExpiringRow>(EXPIRING, [
    db.tenantId,
    projectIds,
    now,
    EXPIRING_WITHIN_DAYS,
  ]);
  return new Map(
    rows.map(({ project_id: id, count, first_at: firstAt }) => [id, { count, firstAt }]),
  );
}

interface ExpiringRow {
  project_id: string;
  count: number;
  first_at: Date;
}

/** Two separate conditions instead of a range, because Postgres would estimate almost no rows for the range. */
const EXPIRING: Statement = {
  name: 'mutes-expiring',
  reason: 'set',
  text: `
    WITH soon AS MATERIALIZED (
      SELECT * FROM mutes m
      WHERE m.tenant_id = $1 AND m.expires_at > $3 AND m.expires_at - $3::timestamptz <= make_interval(days => $4)
    ), soon_of_any AS MATERIALIZED (
      SELECT * FROM soon WHERE lookup = 'any'
    ), concerned AS (
      SELECT m.project_id, m.id AS mute_id FROM soon m WHERE m.project_id = ANY ($2::uuid[])
      UNION
      SELECT f.project_id, f.mute_id FROM (${findingsOf('soon', 'soon_of_any')}) f
      WHERE f.project_id = ANY ($2::uuid[]) AND f.status = 'open'
    )
    SELECT c.project_id, count(*)::int AS count, min(m.expires_at) AS first_at
    FROM concerned c JOIN soon m ON m.id = c.mute_id
    GROUP BY c.project_id`,
};
