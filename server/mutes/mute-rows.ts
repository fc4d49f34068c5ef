import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';
import { likePattern } from './like-pattern.ts';

/** A mute, with the name of the project that it is about and of whoever made it. */
export interface MuteRow extends Row {
  id: string;
  fingerprint: Buffer | null;
  rule_id: string | null;
  asset: string | null;
  project: string | null;
  label_key: string | null;
  label_value: string | null;
  reason: string;
  expires_at: Date;
  created_by_id: string | null;
  created_by: string;
  created_at: Date;
}

/** What a mute applies to: a fingerprint alone, or whatever fits all the others that are not null. */
export interface MuteTarget {
  readonly fingerprint: Buffer | null;
  readonly ruleId: string | null;
  /** A glob. */
  readonly asset: string | null;
  readonly projectId: string | null;
  /** A value of null: any. */
  readonly label: { readonly key: string; readonly value: string | null } | null;
}

export interface NewMute {
  readonly id: string;
  readonly target: MuteTarget;
  readonly reason: string;
  readonly expiresAt: Date;
  readonly createdBy: { readonly id: string | null; readonly label: string | null };
  readonly createdAt: Date;
}

export async function insertMute(db: TenantConnection, mute: NewMute): Promise<void> {
  const { id, target, createdBy } = mute;
  await db.sql(INSERT, [
    db.tenantId,
    id,
    target.fingerprint,
    target.ruleId,
    target.asset,
    target.asset === null ? null : likePattern(target.asset),
    target.projectId,
    target.label?.key ?? null,
    target.label?.value ?? null,
    lookupOf(target),
    mute.reason,
    mute.expiresAt,
    createdBy.id,
    // The names of people are kept beside the audit trail alone, from where they can be erased.
    createdBy.id === null ? createdBy.label : null,
    mute.createdAt,
  ]);
}

/** Under what a finding looks for the mutes that may be about it: the narrowest thing that the two have to share. */
function lookupOf({ fingerprint, ruleId, projectId }: MuteTarget): string {
  if (fingerprint !== null) return fingerprint.toString('hex');
  if (ruleId !== null) return `rule:${ruleId}`;
  return projectId === null ? 'any' : `project:${projectId}`;
}

/** The id of a project of that name, which nobody deletes before the transaction is over; null: there is none. */
export async function holdProject(db: TenantConnection, name: string): Promise<string | null> {
  const [project] = await db.sql<{ id: string }>(HOLD_PROJECT, [db.tenantId, name]);
  return project?.id ?? null;
}

export interface MuteFilter {
  readonly before: string | null;
  readonly limit: number;
  /** In force now, or expired; undefined: either. */
  readonly active?: boolean | undefined;
}

/** Mutes, newest first. */
export function listMutes(
  db: TenantConnection,
  { before, limit, active }: MuteFilter,
  now: Date,
): Promise<MuteRow[]> {
  return db.sql<MuteRow>(LIST, [db.tenantId, before, active ?? null, now, limit]);
}

/** @returns what was removed; null: there was no such mute. */
export async function deleteMute(db: TenantConnection, id: string): Promise<MuteRow | null> {
  const [row] = await db.sql<MuteRow>(DELETE, [db.tenantId, id]);
  return row ?? null;
}

const COLUMNS = `
  m.id, m.fingerprint, m.rule_id, m.asset, p.name AS project, m.label_key, m.label_value, m.reason, m.expires_at,
  m.created_by_id, COALESCE(l.label, m.created_by_label, 'removed user') AS created_by, m.created_at`;

const WITH_NAMES = `
  LEFT JOIN projects p ON p.tenant_id = m.tenant_id AND p.id = m.project_id
  LEFT JOIN audit_labels l ON l.tenant_id = m.tenant_id AND l.actor_id = m.created_by_id`;

const INSERT: Statement = {
  name: 'mute-insert',
  text: `INSERT INTO mutes (tenant_id, id, fingerprint, rule_id, asset, asset_pattern, project_id, label_key, label_value,
                            lookup, reason, expires_at, created_by_id, created_by_label, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
};

const HOLD_PROJECT: Statement = {
  name: 'mute-hold-project',
  text: 'SELECT id FROM projects WHERE tenant_id = $1 AND name = $2 FOR KEY SHARE',
};

const LIST: Statement = {
  name: 'mutes-list',
  text: `SELECT ${COLUMNS} FROM mutes m ${WITH_NAMES}
         WHERE m.tenant_id = $1 AND ($2::uuid IS NULL OR m.id < $2)
           AND ($3::boolean IS NULL OR (m.expires_at > $4) = $3)
         ORDER BY m.id DESC LIMIT $5`,
};

const DELETE: Statement = {
  name: 'mute-delete',
  text: `WITH deleted AS (DELETE FROM mutes WHERE tenant_id = $1 AND id = $2 RETURNING *)
         SELECT ${COLUMNS} FROM deleted m ${WITH_NAMES}`,
};
