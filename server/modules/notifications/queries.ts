import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { type MembershipRow, membershipFrom } from '../../platform/principal.ts';
import { anyScope, hasMute, mutesOfAny } from '../findings/index.ts';
import { type Digest, digestDueAt } from './digest-times.ts';

/** How many findings of each severity are remembered for an e-mail. The others are only counted. */
export const KEPT_IDS = 100;

const NOTHING_TO_TELL = {
  ...{ dueAt: null, scans: 0, critical: 0, high: 0 },
  ...{ criticalIds: [] as string[], highIds: [] as string[], countedFrom: null },
};

export async function findDigest(db: TenantConnection, userId: string): Promise<Digest> {
  const { tenantId } = db;
  const row = await db.prisma.notificationSetting.findUnique({
    where: { tenantId_userId: { tenantId, userId } },
    select: { digest: true },
  });
  // Only the contract's values are stored.
  return (row?.digest ?? 'off') as Digest;
}

/** Changes when a person gets e-mails. What has not been sent yet is sent at the new time, or never. */
export async function changeDigest(
  db: TenantConnection,
  userId: string,
  digest: Digest,
  now: Date,
): Promise<void> {
  const { tenantId } = db;
  await db.prisma.notificationSetting.upsert({
    where: { tenantId_userId: { tenantId, userId } },
    create: { tenantId, userId, digest },
    update: { digest, ...(digest === 'off' ? NOTHING_TO_TELL : {}) },
  });
  if (digest === 'off') return;
  await db.prisma.notificationSetting.updateMany({
    where: { tenantId, userId, dueAt: { not: null } },
    data: { dueAt: digestDueAt(digest, now) },
  });
}

/** @returns whether the person got e-mails until now. */
export async function turnDigestOff(db: TenantConnection, userId: string): Promise<boolean> {
  const { count } = await db.prisma.notificationSetting.updateMany({
    where: { tenantId: db.tenantId, userId, digest: { not: 'off' } },
    data: { digest: 'off', ...NOTHING_TO_TELL },
  });
  return count > 0;
}

/** Deletes the settings of a person who no longer gets digests. */
export async function deleteNotifications(db: TenantConnection, userId: string): Promise<void> {
  await db.prisma.notificationSetting.deleteMany({ where: { tenantId: db.tenantId, userId } });
}

/** What an e-mail is about. */
export interface DueDigest {
  digest: string;
  due_at: Date;
  scans: number;
  critical: number;
  high: number;
  critical_ids: string[];
  high_ids: string[];
  /** When the first of the scans began; null if a server of an earlier release counted it. */
  counted_from: Date | null;
}

/**
 * Takes the pending findings of a person, if their e-mail is due. The row stays locked until the end of the transaction, so
 * that only one worker sends the e-mail.
 * @returns null when it is not due: another worker has sent it, or the person has turned it off.
 */
export async function takeDigest(
  db: TenantConnection,
  userId: string,
  now: Date,
): Promise<DueDigest | null> {
  const { tenantId } = db;
  const [due] = await db.sql<DueDigest>(LOCK, [tenantId, userId, now]);
  if (due === undefined) return null;
  await db.prisma.notificationSetting.updateMany({
    where: { tenantId, userId },
    data: NOTHING_TO_TELL,
  });
  return due;
}

/** @returns null when the person has left the tenant. */
export async function findRecipient(db: TenantConnection, userId: string) {
  const [row] = await db.sql<RecipientRow>(RECIPIENT, [userId]);
  if (row === undefined) return null;
  return { ...membershipFrom(row), email: row.email, isActive: row.is_active };
}

interface RecipientRow extends MembershipRow {
  email: string;
  is_active: boolean;
}

/** A finding as an e-mail shows it. */
export interface ToldFinding {
  id: string;
  severity: Severity;
  title: string;
  asset_name: string;
  project: string;
  message: string;
  delta: string;
  last_scan_id: string;
}

/** The findings of the list that are still open and not muted, most severe first. */
export function stillOpen(
  db: TenantConnection,
  ids: readonly string[],
  now: Date,
): Promise<ToldFinding[]> {
  return db.sql<ToldFinding>(STILL_OPEN, [db.tenantId, now, ids]);
}

/**
 * The ids of findings that are new or reopened since a moment, still open and not muted, newest first; without those that
 * are known already.
 */
export async function openSince(
  db: TenantConnection,
  severity: 'critical' | 'high',
  { since, known, most }: { since: Date; known: readonly string[]; most: number },
  now: Date,
): Promise<string[]> {
  const values = [db.tenantId, now, severity, since, known, most, COUNTED_MAX];
  const rows = await db.sql<{ id: string }>(OPEN_SINCE, values);
  return rows.map(({ id }) => id);
}

/** How many open findings of a severity are read at most to count those that no id was remembered of. */
const COUNTED_MAX = 10_000;

const LOCK: Statement = {
  name: 'digest-take',
  reason: 'lock',
  text: `SELECT digest, due_at, counted_from, scans, critical, high,
                COALESCE(critical_ids, '{}') AS critical_ids, COALESCE(high_ids, '{}') AS high_ids
         FROM notification_settings
         WHERE tenant_id = $1 AND user_id = $2 AND due_at <= $3 AND digest <> 'off' FOR UPDATE`,
};

const RECIPIENT: Statement = {
  name: 'digest-recipient',
  reason: 'function',
  text: 'SELECT * FROM identity.digest_recipient($1)',
};

const STILL_OPEN: Statement = {
  name: 'digest-still-open',
  reason: 'set',
  text: `
    WITH ${mutesOfAny('$2::timestamptz')}, ${anyScope('$2::timestamptz')}
    SELECT f.id, f.severity, left(f.title, 300) AS title, left(f.asset_name, 500) AS asset_name, p.name AS project,
           left(f.message, 300) AS message, f.delta, f.last_scan_id
    FROM findings f JOIN projects p ON p.tenant_id = $1 AND p.id = f.project_id
    WHERE f.tenant_id = $1 AND f.id = ANY($3::uuid[]) AND f.status = 'open'
      AND NOT ${hasMute('$2::timestamptz')}
    ORDER BY array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], f.severity), f.id`,
};

// Servers of earlier releases set no reopened_at.
const OPEN_SINCE: Statement = {
  name: 'digest-open-since',
  reason: 'set',
  text: `
    WITH ${mutesOfAny('$2::timestamptz')}, ${anyScope('$2::timestamptz')}, newest AS MATERIALIZED (
      SELECT f.id, f.fingerprint, f.rule_id, f.project_id, f.asset_name, f.asset_labels, f.delta,
             f.first_seen_at, f.reopened_at, f.last_seen_at
      FROM findings f WHERE f.tenant_id = $1 AND f.severity = $3 AND f.status = 'open'
      ORDER BY f.id DESC LIMIT $7::int
    )
    SELECT f.id FROM newest f
    WHERE (GREATEST(f.first_seen_at, f.reopened_at) >= $4::timestamptz
           OR f.delta = 'reopened' AND f.last_seen_at >= $4::timestamptz)
      AND f.id <> ALL($5::uuid[]) AND NOT ${hasMute('$2::timestamptz')}
    ORDER BY f.id DESC LIMIT $6::int`,
};
