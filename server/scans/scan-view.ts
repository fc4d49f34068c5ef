import type { ScanRow } from './scan-rows.ts';

/** A project within a scan, as the statement packs it: an array is half the bytes of an object. */
export type ScanProjectRow = [
  name: string,
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled',
  assets: number,
  evaluations: number,
  error: string | null,
  pass: number,
  fail: number,
  unknown: number,
  critical: number,
  high: number,
  medium: number,
  low: number,
  info: number,
  deltaNew: number,
  deltaResolved: number,
  deltaReopened: number,
  deltaUnchanged: number,
  chunksDone: number,
];

type ScanStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

/** A scan as the contract shows it: its projects, and their sums. */
export function scanView(row: ScanRow) {
  const sum = (index: number) =>
    row.projects.reduce((total, project) => total + Number(project[index]), 0);
  return {
    id: row.id,
    // The database holds what this server wrote there.
    status: row.status as ScanStatus,
    profile: row.profile,
    profileDigest: row.profile_digest,
    projects: row.projects.map((project) => ({
      name: project[0],
      status: project[1],
      assets: project[2],
      evaluations: project[3],
      findings: project[8] + project[9] + project[10] + project[11] + project[12],
      error: project[4],
    })),
    totals: {
      assets: sum(2),
      evaluations: sum(3),
      pass: sum(5),
      fail: sum(6),
      unknown: sum(7),
      bySeverity: { critical: sum(8), high: sum(9), medium: sum(10), low: sum(11), info: sum(12) },
    },
    delta: { new: sum(13), resolved: sum(14), reopened: sum(15), unchanged: sum(16) },
    coverage: row.coverage,
    createdBy: { kind: row.created_by_kind, id: row.created_by_id, label: row.created_by_label },
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
