import { MUTE_LIMITS } from '@cspm/contract';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { ProblemError, validationFailed } from '../../platform/problem.ts';
import type { FindingFilter } from './finding-filter.ts';
import { matching, type ScanMoment } from './matching.ts';
import { countActive } from './mute-queries.ts';
import { findScanMoment } from './queries.ts';
import { type RuleFilter, withRulesOf } from './rule-filter.ts';

export interface BulkMute {
  readonly reason: string;
  readonly expiresAt: Date;
  /** Findings whose own mute is active until then stay as they are. Default: `expiresAt`. */
  readonly enoughUntil?: Date | undefined;
  readonly createdBy: { readonly id: string | null; readonly label: string | null };
  readonly createdAt: Date;
}

/**
 * Mutes each of these findings by its fingerprint, except those whose own mute lasts long enough.
 * @returns the ids of the created mutes.
 * @throws {ProblemError} CONFLICT when the tenant would have more active mutes than it may have.
 */
export async function muteFindings(
  db: TenantConnection,
  findingIds: readonly string[],
  { reason, expiresAt, enoughUntil = expiresAt, createdBy, createdAt }: BulkMute,
): Promise<string[]> {
  const created = await db.sql<{ id: string }>(INSERT, [
    db.tenantId,
    findingIds,
    findingIds.map(() => newId()),
    reason,
    expiresAt,
    createdBy.id,
    // The names of people are kept beside the audit trail alone, from where they can be erased.
    createdBy.id === null ? createdBy.label : null,
    createdAt,
    enoughUntil,
  ]);
  const { active } = await countActive(db, NO_TARGET, createdAt);
  if (active > MUTE_LIMITS.active) {
    throw new ProblemError(
      'CONFLICT',
      `Your tenant would have ${active} active mutes; the limit is ${MUTE_LIMITS.active}. Nothing was muted. Delete some mutes, or mute these findings with a selector.`,
    );
  }
  if (created.length > 0) await db.sql(ANALYZE_GROWN);
  return created.map(({ id }) => id);
}

/** Its scope is not looked at: mutes of single findings have no limit besides that of the tenant. */
const NO_TARGET = { fingerprint: null, ruleId: null, asset: null, projectId: null, label: null };

/** @throws {ProblemError} VALIDATION_FAILED that names the ids that are no findings of the tenant, at most ten. */
export async function demandFindings(db: TenantConnection, ids: readonly string[]): Promise<void> {
  const where = { tenantId: db.tenantId, id: { in: [...ids] } };
  const found = await db.prisma.finding.findMany({ where, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  const errors = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `body.findingIds.${index}`, message: 'is not a finding of your tenant' }],
  );
  if (errors.length > 0) throw validationFailed(errors.slice(0, 10));
}

/**
 * The ids of the findings that match a filter now.
 * @throws {ProblemError} CONFLICT when there are more than can be muted at once.
 */
export async function findMatches(
  db: TenantConnection,
  filter: FindingFilter & RuleFilter,
  now: Date,
): Promise<string[]> {
  const scan = filter.scan === undefined ? null : await findScanMoment(db, filter.scan);
  if (scan === null && filter.scan !== undefined) return [];
  const query = matchesQuery(db.tenantId, await withRulesOf(db, filter), scan, now);
  const rows = await db.sql<{ id: string }>(query.statement, query.values);
  if (rows.length > MUTE_LIMITS.bulkMatches) {
    throw new ProblemError(
      'CONFLICT',
      `The filter matches more than ${MUTE_LIMITS.bulkMatches} findings. Narrow it, or mute the findings with a selector (POST /mutes).`,
    );
  }
  return rows.map(({ id }) => id);
}

/** Hand-written: set-based, with the conditions of the list. One more than the limit tells that there are too many. */
export function matchesQuery(
  tenantId: string,
  filter: FindingFilter,
  scan: ScanMoment | null,
  now: Date,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const rows = matching(
    'findings-matches',
    tenantId,
    now,
    filter,
    scan,
    ['project', 'severity', 'status', 'rule', 'assetType', 'delta'],
    { whole: filter.muted === true ? 'included' : 'apart' },
  );
  const { parts, tables, all, muted, isMutedWhole } = rows;
  // Muted findings are excluded by grouping: a look-up for each finding would exceed the statement timeout.
  const unmuted = `
    FROM (SELECT f.id, false AS muted ${all} AND NOT ${isMutedWhole} UNION ALL SELECT f.id, true ${muted}) f
    GROUP BY f.id HAVING NOT bool_or(f.muted)`;
  const source = { true: muted, false: unmuted, undefined: all }[`${filter.muted}`];
  const text = `WITH ${tables} SELECT f.id ${source} LIMIT ${MUTE_LIMITS.bulkMatches + 1}`;
  return { statement: { name: '', reason: 'set', text }, values: parts.values };
}

/** So that the next lists are planned for the number of mutes, not for the few or none that autovacuum last saw. */
const ANALYZE_GROWN: Statement = {
  name: 'analyze-grown-mutes',
  reason: 'function',
  text: 'SELECT jobs.analyze_grown_mutes()',
};

/**
 * Hand-written: set-based. LIMIT 1 makes Postgres look up each finding by its id. An id that is given twice gets one
 * mute.
 */
const INSERT: Statement = {
  name: 'mutes-bulk-insert',
  reason: 'set',
  text: `
    INSERT INTO mutes (tenant_id, id, fingerprint, lookup, reason, expires_at, created_by_id, created_by_label, created_at)
    SELECT $1, n.id, f.fingerprint, encode(f.fingerprint, 'hex'), $4, $5, $6, $7, $8
    FROM (
      SELECT DISTINCT ON (finding_id) finding_id, id FROM unnest($2::uuid[], $3::uuid[]) AS t(finding_id, id)
    ) n
    CROSS JOIN LATERAL (
      SELECT f.fingerprint FROM findings f WHERE f.tenant_id = $1 AND f.id = n.finding_id LIMIT 1) f
    WHERE NOT EXISTS (
      SELECT 1 FROM mutes m
      WHERE m.tenant_id = $1 AND m.lookup = encode(f.fingerprint, 'hex') AND m.expires_at > $8 AND m.expires_at >= $9)
    RETURNING id`,
};
