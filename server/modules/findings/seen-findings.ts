/** Joins the findings `f` with the scan that saw them again, in `r`. @param tenant the tenant in SQL */
const SEEN_JOIN = (tenant: string) => `
  LEFT JOIN finding_repeats r
    ON r.tenant_id = ${tenant} AND r.project_id = f.project_id AND r.written_scan_id = f.last_scan_id
    AND f.status = 'open'`;

const SEEN_DELTA = `CASE WHEN r.scan_id IS NULL THEN f.delta ELSE 'unchanged' END AS delta`;
const LAST_SEEN_AT = 'COALESCE(r.seen_at, f.last_seen_at) AS last_seen_at';

/**
 * The findings with what is known of the last scan that saw each: in place of the table `findings` wherever `delta`,
 * `last_seen_at` or `last_scan_id` of a reader matter. A scan that repeats all results of a project notes that in one row
 * of `finding_repeats` instead of updating each finding (decision 0074).
 */
export const SEEN_FINDINGS = `(
  SELECT f.tenant_id, f.id, f.project_id, f.fingerprint, f.rule_id, f.severity, f.title, f.asset_name, f.asset_type,
         f.asset_labels, f.subject, f.message, f.evidence, f.status, f.first_seen_at, f.resolved_at, f.resolved_reason,
         ${SEEN_DELTA}, ${LAST_SEEN_AT},
         COALESCE(r.scan_id, f.last_scan_id) AS last_scan_id
  FROM findings f ${SEEN_JOIN('f.tenant_id')})`;

/** The same of `muted`. @param columns those that it has besides the ones of filters */
export function seenMuted(columns: readonly string[] = []): string {
  const more = columns.map((column) => (column === 'last_seen_at' ? LAST_SEEN_AT : `f.${column}`));
  const all = [
    'f.id, f.project_id, f.rule_id, f.severity, f.status, f.asset_type',
    SEEN_DELTA,
    ...more,
  ];
  return `(SELECT ${all.join(', ')} FROM muted f ${SEEN_JOIN('$1')}) f`;
}
