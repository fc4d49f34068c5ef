/**
 * The findings with what is known of the last scan that saw each: in place of the table `findings` wherever `delta`,
 * `last_seen_at` or `last_scan_id` of a reader matter. A scan that repeats all results of a project notes that in one row
 * of `finding_repeats` instead of updating each finding (decision 0074).
 */
export const SEEN_FINDINGS = `(
  SELECT f.tenant_id, f.id, f.project_id, f.fingerprint, f.rule_id, f.severity, f.title, f.asset_name, f.asset_type,
         f.asset_labels, f.subject, f.message, f.evidence, f.status, f.first_seen_at, f.resolved_at, f.resolved_reason,
         CASE WHEN r.scan_id IS NULL THEN f.delta ELSE 'unchanged' END AS delta,
         COALESCE(r.seen_at, f.last_seen_at) AS last_seen_at,
         COALESCE(r.scan_id, f.last_scan_id) AS last_scan_id
  FROM findings f
  LEFT JOIN finding_repeats r
    ON r.tenant_id = f.tenant_id AND r.project_id = f.project_id AND r.written_scan_id = f.last_scan_id
    AND f.status = 'open')`;
