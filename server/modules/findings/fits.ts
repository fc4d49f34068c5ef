/* Conditions in SQL on findings `f` and mutes `m`. */

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
