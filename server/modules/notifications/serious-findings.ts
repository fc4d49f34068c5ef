import { z } from 'zod';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { digestDueAt } from './digest-times.ts';
import { KEPT_IDS } from './queries.ts';

/** The new critical and high findings of a project's scan. */
const SeriousFindings = z.object({
  critical: z.number(),
  high: z.number(),
  criticalIds: z.array(z.string()),
  highIds: z.array(z.string()),
});

/**
 * Notes the new critical and high findings of a project in the transaction that ends its scan: until the scan has ended,
 * the next scan of the project may have begun to change them.
 */
export async function noteSerious(
  db: TenantConnection,
  { scanId, projectId }: { readonly scanId: string; readonly projectId: string },
): Promise<void> {
  await db.sql(NOTE, [db.tenantId, scanId, projectId, KEPT_IDS]);
}

/** Queues the e-mails about a scan for everybody who wants them, in the transaction that ends it. */
export async function queueDigests(db: TenantConnection, scanId: string, now: Date): Promise<void> {
  const { tenantId } = db;
  const rows = await db.sql<{ new_serious: unknown }>(NOTED, [tenantId, scanId]);
  if (rows.length === 0) return;
  const projects = rows.map((row) => SeriousFindings.parse(row.new_serious));
  const sum = (count: (of: z.output<typeof SeriousFindings>) => number) =>
    projects.reduce((total, project) => total + count(project), 0);
  await db.sql(QUEUE, [
    tenantId,
    sum(({ critical }) => critical),
    sum(({ high }) => high),
    projects.flatMap(({ criticalIds }) => criticalIds).slice(0, KEPT_IDS),
    projects.flatMap(({ highIds }) => highIds).slice(0, KEPT_IDS),
    digestDueAt('immediate', now),
    digestDueAt('daily', now),
    digestDueAt('weekly', now),
    KEPT_IDS,
    scanId,
  ]);
}

// Reads no findings if nobody in the tenant gets e-mails.
const NOTE: Statement = {
  name: 'digest-note-serious',
  reason: 'set',
  text: `
    WITH serious AS MATERIALIZED (
      SELECT f.id, f.severity FROM findings f
      WHERE f.tenant_id = $1 AND f.project_id = $3 AND f.status = 'open' AND f.severity IN ('critical', 'high')
        AND f.last_scan_id = $2 AND f.delta IN ('new', 'reopened')
        AND EXISTS (SELECT 1 FROM notification_settings n WHERE n.tenant_id = $1 AND n.digest <> 'off')
    ), counted AS (
      SELECT count(*) FILTER (WHERE severity = 'critical') AS critical,
             count(*) FILTER (WHERE severity = 'high') AS high
      FROM serious
    )
    UPDATE scan_projects SET new_serious = jsonb_build_object(
      'critical', c.critical, 'high', c.high,
      'criticalIds', ARRAY(SELECT id FROM serious WHERE severity = 'critical' ORDER BY id LIMIT $4::int),
      'highIds', ARRAY(SELECT id FROM serious WHERE severity = 'high' ORDER BY id LIMIT $4::int))
    FROM counted c
    WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND c.critical + c.high > 0`,
};

const NOTED: Statement = {
  name: 'digest-noted',
  reason: 'set',
  text: `
    UPDATE scan_projects p SET new_serious = NULL
    FROM (SELECT project_id, new_serious FROM scan_projects
          WHERE tenant_id = $1 AND scan_id = $2 AND new_serious IS NOT NULL) noted
    WHERE p.tenant_id = $1 AND p.scan_id = $2 AND p.project_id = noted.project_id
    RETURNING noted.new_serious`,
};

/**
 * Locks the rows in one order, because two scans of a tenant may end at the same time. A finding that was resolved and
 * reopened since the last e-mail is remembered and counted once. A due time is never put off; one of a clock that was far
 * ahead becomes that of this scan. If an earlier release counted the first scan, it is
 * unknown when that one began, and `counted_from` stays null.
 */
const QUEUE: Statement = {
  name: 'digest-queue',
  reason: 'set',
  text: `
    WITH subscriber AS (
      SELECT user_id FROM notification_settings
      WHERE tenant_id = $1 AND digest <> 'off' ORDER BY user_id FOR UPDATE
    ), scan AS (
      SELECT started_at FROM scans WHERE tenant_id = $1 AND id = $10
    )
    UPDATE notification_settings n
    SET scans = n.scans + 1,
        counted_from = CASE WHEN n.scans = 0 OR scan.started_at < n.counted_from THEN scan.started_at
                             ELSE n.counted_from END,
        critical = n.critical + $2::int - cardinality($4::uuid[]) + cardinality(
          ARRAY(SELECT id FROM unnest($4::uuid[]) id WHERE id <> ALL(COALESCE(n.critical_ids, '{}')))),
        high = n.high + $3::int - cardinality($5::uuid[]) + cardinality(
          ARRAY(SELECT id FROM unnest($5::uuid[]) id WHERE id <> ALL(COALESCE(n.high_ids, '{}')))),
        critical_ids = (n.critical_ids ||
          ARRAY(SELECT id FROM unnest($4::uuid[]) id WHERE id <> ALL(COALESCE(n.critical_ids, '{}'))))[1:$9::int],
        high_ids = (n.high_ids ||
          ARRAY(SELECT id FROM unnest($5::uuid[]) id WHERE id <> ALL(COALESCE(n.high_ids, '{}'))))[1:$9::int],
        due_at = LEAST(n.due_at, CASE n.digest WHEN 'immediate' THEN $6::timestamptz
                                               WHEN 'daily' THEN $7::timestamptz ELSE $8::timestamptz END)
    FROM subscriber s, scan WHERE n.tenant_id = $1 AND n.user_id = s.user_id`,
};
