import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { lockPosture } from './record.ts';

/**
 * Takes a project out of the totals of its tenant, on all days, before it is deleted; its own rows are deleted with it.
 * Days that no other project had been scanned by are deleted.
 */
export async function forgetPosture(db: TenantConnection, projectId: string): Promise<void> {
  await lockPosture(db);
  await db.sql(SUBTRACT, [db.tenantId, projectId]);
  await db.sql(DELETE_EMPTY, [db.tenantId]);
}

/** Set-based: one look-up in the rows of the project for each day of the totals. */
const SUBTRACT: Statement = {
  name: 'posture-subtract',
  reason: 'set',
  text: `
    UPDATE posture_totals t SET
      projects = t.projects - 1,
      critical = t.critical - l.critical, high = t.high - l.high, medium = t.medium - l.medium, low = t.low - l.low,
      info = t.info - l.info, passed_weight = t.passed_weight - l.passed_weight,
      decided_weight = t.decided_weight - l.decided_weight, decided = t.decided - l.decided,
      unknown = t.unknown - l.unknown, opened = t.opened - (l.day = t.day)::int * l.opened,
      resolved = t.resolved - (l.day = t.day)::int * l.resolved,
      resolved_critical = t.resolved_critical - (l.day = t.day)::int * l.resolved_critical,
      resolved_high = t.resolved_high - (l.day = t.day)::int * l.resolved_high,
      resolved_medium = t.resolved_medium - (l.day = t.day)::int * l.resolved_medium,
      resolved_low = t.resolved_low - (l.day = t.day)::int * l.resolved_low,
      resolved_info = t.resolved_info - (l.day = t.day)::int * l.resolved_info,
      resolve_seconds_critical = t.resolve_seconds_critical - (l.day = t.day)::int * l.resolve_seconds_critical,
      resolve_seconds_high = t.resolve_seconds_high - (l.day = t.day)::int * l.resolve_seconds_high,
      resolve_seconds_medium = t.resolve_seconds_medium - (l.day = t.day)::int * l.resolve_seconds_medium,
      resolve_seconds_low = t.resolve_seconds_low - (l.day = t.day)::int * l.resolve_seconds_low,
      resolve_seconds_info = t.resolve_seconds_info - (l.day = t.day)::int * l.resolve_seconds_info
    FROM posture_totals each
    CROSS JOIN LATERAL (
      SELECT * FROM posture_days d
      WHERE d.tenant_id = $1 AND d.project_id = $2 AND d.day <= each.day ORDER BY d.day DESC LIMIT 1
    ) l
    WHERE each.tenant_id = $1 AND t.tenant_id = $1 AND t.day = each.day`,
};

const DELETE_EMPTY: Statement = {
  name: 'posture-delete-empty',
  reason: 'set',
  text: 'DELETE FROM posture_totals WHERE tenant_id = $1 AND projects = 0',
};
