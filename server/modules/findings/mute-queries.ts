import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS } from '../../platform/ids.ts';
import { FITS } from './fits.ts';
import { likePattern } from './like-pattern.ts';

/** The finding that a mute of a fingerprint is about. */
export interface MutedFindingRow {
  finding_id: string;
  finding_rule_id: string;
  finding_title: string;
  finding_severity: string;
  finding_status: string;
  finding_project: string;
  asset_name: string;
  asset_type: string;
}

/** A mute with the names of its project and its creator, and its finding: all null if there is none. */
export interface MuteRow extends Nullable<MutedFindingRow> {
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

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** What a mute matches: one fingerprint, or findings that match every other member that is not null. */
export interface MuteTarget {
  readonly fingerprint: Buffer | null;
  readonly ruleId: string | null;
  /** A glob. */
  readonly asset: string | null;
  readonly projectId: string | null;
  /** A null value matches any value. */
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
  await db.prisma.mute.createMany({
    data: {
      tenantId: db.tenantId,
      id,
      fingerprint: target.fingerprint === null ? null : Uint8Array.from(target.fingerprint),
      ruleId: target.ruleId,
      asset: target.asset,
      assetPattern: target.asset === null ? null : likePattern(target.asset),
      projectId: target.projectId,
      labelKey: target.label?.key ?? null,
      labelValue: target.label?.value ?? null,
      lookup: lookupOf(target),
      reason: mute.reason,
      expiresAt: mute.expiresAt,
      createdById: createdBy.id,
      // Names of people are stored only beside the audit trail, where they can be erased.
      createdByLabel: createdBy.id === null ? createdBy.label : null,
      createdAt: mute.createdAt,
    },
  });
}

/** Counts the active mutes: in total, and those in the same lookup scope as this one. */
export async function countActive(
  db: TenantConnection,
  target: MuteTarget,
  now: Date,
): Promise<{ readonly active: number; readonly inScope: number }> {
  const values = [db.tenantId, now, lookupOf(target)];
  const [row] = await db.sql<{ active: number; in_scope: number }>(COUNT_ACTIVE, values);
  return { active: row?.active ?? 0, inScope: row?.in_scope ?? 0 };
}

/** The lookup key that a mute shares with the findings it may match: the narrowest member that is set. */
function lookupOf({ fingerprint, ruleId, projectId }: MuteTarget): string {
  if (fingerprint !== null) return fingerprint.toString('hex');
  if (ruleId !== null) return `rule:${ruleId}`;
  return projectId === null ? 'any' : `project:${projectId}`;
}

/**
 * Locks a project against deletion until the transaction ends. @returns its id, or null when there is none of this
 * name.
 */
export async function holdProject(db: TenantConnection, name: string): Promise<string | null> {
  const [project] = await db.sql<{ id: string }>(HOLD_PROJECT, [db.tenantId, name]);
  return project?.id ?? null;
}

export interface MuteFilter {
  readonly before: string | null;
  readonly limit: number;
  /** True for active mutes, false for expired ones, undefined for both. */
  readonly active?: boolean | undefined;
  /** The id of a finding that the mutes apply to. */
  readonly finding?: string | undefined;
}

/** Lists mutes, newest first. */
export function listMutes(
  db: TenantConnection,
  { before, limit, active, finding }: MuteFilter,
  now: Date,
): Promise<MuteRow[]> {
  if (finding !== undefined) {
    const values = [db.tenantId, before ?? AFTER_ALL_IDS, active ?? null, now, limit, finding];
    return db.sql<MuteRow>(LIST_OF_FINDING, values);
  }
  return db.sql<MuteRow>(LIST, [db.tenantId, before, active ?? null, now, limit]);
}

/** @returns the finding of this fingerprint; undefined if there is none. */
export async function findMutedFinding(
  db: TenantConnection,
  fingerprint: Buffer,
): Promise<MutedFindingRow | undefined> {
  const [row] = await db.sql<MutedFindingRow>(MUTED_FINDING, [db.tenantId, fingerprint]);
  return row;
}

/** @returns the deleted mute; null when there was none. */
export async function deleteMute(db: TenantConnection, id: string): Promise<MuteRow | null> {
  const [row] = await db.sql<MuteRow>(DELETE, [db.tenantId, id]);
  return row ?? null;
}

const COLUMNS = `
  m.id, m.fingerprint, m.rule_id, m.asset, p.name AS project, m.label_key, m.label_value, m.reason, m.expires_at,
  m.created_by_id, COALESCE(l.label, m.created_by_label, 'removed user') AS created_by, m.created_at,
  mf.*`;

const FINDING_COLUMNS = `
  f.id AS finding_id, f.rule_id AS finding_rule_id, f.title AS finding_title, f.severity AS finding_severity,
  f.status AS finding_status, fp.name AS finding_project, f.asset_name, f.asset_type`;

/** The limit makes Postgres look up each finding by its fingerprint, whatever it believes the number of mutes to be. */
const WITH_NAMES = `
  LEFT JOIN LATERAL (
    SELECT ${FINDING_COLUMNS} FROM findings f
    JOIN projects fp ON fp.tenant_id = f.tenant_id AND fp.id = f.project_id
    WHERE f.tenant_id = m.tenant_id AND f.fingerprint = m.fingerprint LIMIT 1
  ) mf ON true
  LEFT JOIN projects p ON p.tenant_id = m.tenant_id AND p.id = m.project_id
  LEFT JOIN audit_labels l ON l.tenant_id = m.tenant_id AND l.actor_id = m.created_by_id`;

/** Hand-written: both counts in one pass over the table. */
const COUNT_ACTIVE: Statement = {
  name: 'mutes-count-active',
  reason: 'set',
  text: `SELECT count(*)::int AS active, (count(*) FILTER (WHERE lookup = $3))::int AS in_scope
         FROM mutes WHERE tenant_id = $1 AND expires_at > $2`,
};

/** Hand-written: it locks. */
const HOLD_PROJECT: Statement = {
  name: 'mute-hold-project',
  reason: 'lock',
  text: 'SELECT id FROM projects WHERE tenant_id = $1 AND name = $2 FOR KEY SHARE',
};

/** Hand-written: joins the project without a query of its own. */
const MUTED_FINDING: Statement = {
  name: 'mute-finding',
  reason: 'set',
  text: `SELECT ${FINDING_COLUMNS} FROM findings f
         JOIN projects fp ON fp.tenant_id = f.tenant_id AND fp.id = f.project_id
         WHERE f.tenant_id = $1 AND f.fingerprint = $2`,
};

/** Hand-written: joins the audit label, to which schema.prisma has no relation. */
const LIST: Statement = {
  name: 'mutes-list',
  reason: 'set',
  text: `SELECT ${COLUMNS} FROM mutes m ${WITH_NAMES}
         WHERE m.tenant_id = $1 AND ($2::uuid IS NULL OR m.id < $2)
           AND ($3::boolean IS NULL OR (m.expires_at > $4) = $3)
         ORDER BY m.id DESC LIMIT $5`,
};

/** Hand-written: compares mutes with a finding as the list of findings does, and joins the label of the audit trail. */
const LIST_OF_FINDING: Statement = {
  name: 'mutes-list-of-finding',
  reason: 'set',
  text: `SELECT ${COLUMNS} FROM findings f
         CROSS JOIN LATERAL (
           SELECT * FROM mutes m WHERE m.tenant_id = $1 AND ${FITS} AND m.lookup = ANY (ARRAY[
             encode(f.fingerprint, 'hex'), 'rule:' || f.rule_id, 'project:' || f.project_id, 'any'])
           OFFSET 0
         ) m ${WITH_NAMES}
         WHERE f.tenant_id = $1 AND f.id = $6 AND m.id < $2
           AND ($3::boolean IS NULL OR (m.expires_at > $4) = $3)
         ORDER BY m.id DESC LIMIT $5`,
};

/** Hand-written: deletes and joins in one statement. */
const DELETE: Statement = {
  name: 'mute-delete',
  reason: 'set',
  text: `WITH deleted AS (DELETE FROM mutes WHERE tenant_id = $1 AND id = $2 RETURNING *)
         SELECT ${COLUMNS} FROM deleted m ${WITH_NAMES}`,
};
