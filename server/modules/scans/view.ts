import { type ScanProject, unpackProject } from './packed-project.ts';
import type { ScanRow } from './queries.ts';

type ScanStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

/** Maps a scan with its projects and totals to the contract type. */
export function scanView(row: ScanRow) {
  const projects = row.projects.map(unpackProject);
  const sum = (column: Exclude<keyof ScanProject, 'name' | 'status' | 'error'>) =>
    projects.reduce((total, project) => total + project[column], 0);
  return {
    id: row.id,
    // The values in the database were written by this server, so the casts are safe.
    status: row.status as ScanStatus,
    profile: row.profile,
    profileDigest: row.profile_digest,
    projects: projects.map((project) => ({
      name: project.name,
      status: project.status,
      assets: project.assets,
      evaluations: project.evaluations,
      findings: project.critical + project.high + project.medium + project.low + project.info,
      error: project.error,
    })),
    totals: {
      assets: sum('assets'),
      evaluations: sum('evaluations'),
      pass: sum('pass'),
      fail: sum('fail'),
      unknown: sum('unknown'),
      bySeverity: {
        critical: sum('critical'),
        high: sum('high'),
        medium: sum('medium'),
        low: sum('low'),
        info: sum('info'),
      },
    },
    delta: {
      new: sum('delta_new'),
      resolved: sum('delta_resolved'),
      reopened: sum('delta_reopened'),
      unchanged: sum('delta_unchanged'),
    },
    coverage: row.coverage,
    createdBy: { kind: row.created_by_kind, id: row.created_by_id, label: row.created_by_label },
    scheduleId: row.schedule_id,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
