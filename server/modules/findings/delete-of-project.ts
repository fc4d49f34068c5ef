import { BY_INDEX } from '../../platform/database/by-index.ts';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS, BEFORE_ALL_IDS } from '../../platform/ids.ts';
import { SEVERITIES } from './finding-filter.ts';

/** Findings that one statement deletes. A statement that deleted millions would exceed its time limit on a busy machine. */
const AT_ONCE = 50_000;

/**
 * Deletes the findings of a project that is deleted in the same transaction, and the mutes of single ones, which no later
 * finding can match. If it has few findings, they are left to the trigger that deletes those of a deleted project.
 */
export async function deleteFindingsOf(
  db: TenantConnection,
  projectId: string,
  atOnce = AT_ONCE,
): Promise<void> {
  const project = [db.tenantId, projectId];
  await db.sql(BY_INDEX);
  await db.sql(DELETE_MUTES, project);
  const [many] = await db.sql(MANY, [...project, atOnce]);
  if (many === undefined) return;
  for (const severity of SEVERITIES) {
    for (const status of STATUSES) {
      const group = [...project, severity, status];
      let before: string | null = AFTER_ALL_IDS;
      while (before !== null) {
        const values: unknown[] = [...group, before, atOnce - 1];
        const [last] = await db.sql<{ id: string }>(LAST_OF_PART, values);
        await db.sql(DELETE_PART, [...group, before, last?.id ?? BEFORE_ALL_IDS]);
        before = last?.id ?? null;
      }
    }
  }
}

const STATUSES = ['open', 'resolved'] as const;

/** One look-up for each mute of a single finding: a tenant may have 10,000 that are active. */
const DELETE_MUTES: Statement = {
  name: 'project-findings-delete-mutes',
  reason: 'set',
  text: `DELETE FROM mutes m WHERE m.tenant_id = $1 AND m.fingerprint IS NOT NULL AND EXISTS (
           SELECT FROM findings f
           WHERE f.tenant_id = $1 AND f.fingerprint = m.fingerprint AND f.project_id = $2)`,
};

const MANY: Statement = {
  name: 'project-findings-many',
  reason: 'set',
  text: `SELECT 1 FROM findings WHERE tenant_id = $1 AND project_id = $2
         ORDER BY severity, status, id DESC OFFSET $3 LIMIT 1`,
};

const BEFORE = `tenant_id = $1 AND project_id = $2 AND severity = $3 AND status = $4 AND id < $5`;

const LAST_OF_PART: Statement = {
  name: 'project-findings-last',
  reason: 'set',
  text: `SELECT id FROM findings WHERE ${BEFORE} ORDER BY id DESC OFFSET $6 LIMIT 1`,
};

const DELETE_PART: Statement = {
  name: 'project-findings-delete-part',
  reason: 'set',
  text: `DELETE FROM findings WHERE ${BEFORE} AND id >= $6`,
};
