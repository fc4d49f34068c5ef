import type { Severity } from '@cspm/scanner';
import type { MutedFindingRow, MuteRow } from './mute-queries.ts';

/** Maps a mute to its contract type. */
export function muteView(row: MuteRow) {
  return {
    id: row.id,
    fingerprint: row.fingerprint?.toString('hex') ?? null,
    finding: isMutedFinding(row) ? mutedFindingView(row) : null,
    selector: selectorView(row),
    reason: row.reason,
    expiresAt: row.expires_at.toISOString(),
    createdBy: { id: row.created_by_id, label: row.created_by },
    createdAt: row.created_at.toISOString(),
  };
}

function isMutedFinding(row: MuteRow): row is MuteRow & MutedFindingRow {
  return row.finding_id !== null;
}

export function mutedFindingView(row: MutedFindingRow) {
  return {
    id: row.finding_id,
    ruleId: row.finding_rule_id,
    title: row.finding_title,
    // The values in the database were written by this server, so the casts are safe.
    severity: row.finding_severity as Severity,
    status: row.finding_status as 'open' | 'resolved',
    project: row.finding_project,
    asset: { name: row.asset_name, type: row.asset_type },
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
