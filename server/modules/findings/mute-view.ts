import type { MuteRow } from './mute-queries.ts';

/** Maps a mute to its contract type. */
export function muteView(row: MuteRow) {
  return {
    id: row.id,
    fingerprint: row.fingerprint?.toString('hex') ?? null,
    selector: selectorView(row),
    reason: row.reason,
    expiresAt: row.expires_at.toISOString(),
    createdBy: { id: row.created_by_id, label: row.created_by },
    createdAt: row.created_at.toISOString(),
  };
}

/** Null when the mute matches one fingerprint. */
export function selectorView(row: MuteRow) {
  if (row.fingerprint !== null) return null;
  const { rule_id: ruleId, asset, project, label_key: key, label_value: value } = row;
  return {
    ...(ruleId !== null && { ruleId }),
    ...(asset !== null && { asset }),
    ...(project !== null && { project }),
    ...(key !== null && { label: value === null ? key : `${key}=${value}` }),
  };
}
