import { type ScanProject, unpackProject } from './packed-project.ts';
import type { ScanRow } from './queries.ts';

type ScanStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

/** Maps a scan with its projects and totals to the contract type. */
export function scanView(row: ScanRow) {
  const projects = row.projects.map(unpackProject);
  const { totals, delta } = sumsOf(projects);
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
      inventoryId: project.inventory_id,
    })),
    totals,
    delta,
    coverage: row.coverage,
    createdBy: { kind: row.created_by_kind, id: row.created_by_id, label: row.created_by_label },
    scheduleId: row.schedule_id,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

function sumsOf(projects: readonly ScanProject[]) {
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const totals = { assets: 0, evaluations: 0, pass: 0, fail: 0, unknown: 0, bySeverity };
  const delta = { new: 0, resolved: 0, reopened: 0, unchanged: 0 };
  for (const project of projects) {
    totals.assets += project.assets;
    totals.evaluations += project.evaluations;
    totals.pass += project.pass;
    totals.fail += project.fail;
    totals.unknown += project.unknown;
    bySeverity.critical += project.critical;
    bySeverity.high += project.high;
    bySeverity.medium += project.medium;
    bySeverity.low += project.low;
    bySeverity.info += project.info;
    delta.new += project.delta_new;
    delta.resolved += project.delta_resolved;
    delta.reopened += project.delta_reopened;
    delta.unchanged += project.delta_unchanged;
  }
  return { totals, delta };
}
