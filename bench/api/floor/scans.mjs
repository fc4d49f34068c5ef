import { inTenant } from './client.mjs';
import { PAGE_SIZE, pageOf } from './page.mjs';

const LIST = `
  SELECT s.id, s.status, s.profile, s.profile_digest, s.created_by_kind, s.created_by_id, s.created_by_label, s.schedule_id, s.schedule_id,
         s.created_at, s.started_at, s.finished_at, s.coverage, p.projects
  FROM scans s
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_array(
      sp.name, sp.status, sp.assets, sp.evaluations, sp.error, sp.pass, sp.fail, sp.unknown,
      sp.critical, sp.high, sp.medium, sp.low, sp.info,
      sp.delta_new, sp.delta_resolved, sp.delta_reopened, sp.delta_unchanged, sp.inventory_id
    ) ORDER BY sp.position) AS projects
    FROM scan_projects sp WHERE sp.tenant_id = s.tenant_id AND sp.scan_id = s.id
  ) p
  WHERE s.tenant_id = $1 AND ($2::uuid IS NULL OR s.id < $2) ORDER BY s.id DESC LIMIT $3`;

export async function listScans({ tenant_id: tenantId }) {
  const rows = await inTenant(tenantId, async (client) => {
    const values = [tenantId, null, PAGE_SIZE + 1];
    return (await client.query({ name: 'list', text: LIST, values })).rows;
  });
  return { status: 200, body: pageOf(rows, scanOf) };
}

function scanOf(row) {
  const sum = (at) => row.projects.reduce((total, project) => total + project[at], 0);
  return {
    id: row.id,
    status: row.status,
    profile: row.profile,
    profileDigest: row.profile_digest,
    projects: row.projects.map((project) => ({
      name: project[0],
      status: project[1],
      assets: project[2],
      evaluations: project[3],
      findings: project[8] + project[9] + project[10] + project[11] + project[12],
      error: project[4],
      inventoryId: project[17],
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
    scheduleId: row.schedule_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}
