/* SQL that relates findings `f` and mutes `m`. */

/** Whether a mute matches the asset of the finding. */
export const FITS_ASSET = `
  (m.asset_pattern IS NULL OR f.asset_name LIKE m.asset_pattern)
  AND (m.label_key IS NULL OR CASE WHEN m.label_value IS NULL THEN f.asset_labels ? m.label_key
                                   ELSE f.asset_labels ->> m.label_key = m.label_value END)`;

/** Whether a mute found by its `lookup` matches the finding in every member that is set. */
export const FITS = `
  (m.rule_id IS NULL OR m.rule_id = f.rule_id)
  AND (m.project_id IS NULL OR m.project_id = f.project_id)
  AND ${FITS_ASSET}`;

/**
 * The finding with the fingerprint of the mute, or else the next one, so the fingerprints have to be compared. Only the index of
 * fingerprints has a range in this order. With an equality, all indexes cost the same to a planner that expects one finding of the tenant,
 * and it would read all of them for each mute.
 */
export const NEXT_BY_FINGERPRINT = `(
  SELECT * FROM findings f WHERE f.tenant_id = $1 AND f.fingerprint >= m.fingerprint ORDER BY f.fingerprint LIMIT 1)`;
