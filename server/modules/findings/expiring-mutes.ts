import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { FITS_ASSET, NEXT_BY_FINGERPRINT } from './fits.ts';
import { FEW_PATTERNS, isIn, lacksNames, namesOfPatterns } from './many-patterns.ts';

/** A mute counts as expiring this many days before its end. */
export const EXPIRING_WITHIN_DAYS = 7;

/**
 * How often findings are compared with patterns of mutes at most, in scopes with more than a few patterns: 5,000 findings
 * with 200 patterns. Most findings are ruled out before. A comparison takes about 0.5 µs.
 */
const COMPARISONS_MAX = 1_000_000;

export interface ExpiringMutes {
  readonly count: number;
  /** When the first of them expires; null if none was found. */
  readonly firstAt: Date | null;
  /** True if the limit of comparisons was reached, so that there can be more. */
  readonly isPartial?: true;
}

/**
 * Counts the mutes of projects that expire soon: mutes that name the project, and mutes whose end would make one of its
 * open findings count again. Expired mutes are not included.
 * @param projectIds of one tenant; projects without such mutes are left out of a complete result.
 * @param comparisonsMax a lower limit for tests.
 */
export async function expiringMutes(
  db: TenantConnection,
  projectIds: readonly string[],
  now: Date,
  comparisonsMax = COMPARISONS_MAX,
): Promise<ReadonlyMap<string, ExpiringMutes>> {
  const values = expiringValues(db.tenantId, projectIds, now, comparisonsMax);
  const rows = await db.sql<ExpiringRow>(EXPIRING, values);
  return new Map(
    rows.map(({ project_id: id, count, first_at: firstAt, is_partial: isPartial }) => [
      id,
      { count, firstAt, ...(isPartial && { isPartial }) },
    ]),
  );
}

interface ExpiringRow {
  project_id: string;
  count: number;
  first_at: Date | null;
  is_partial: boolean;
}

/** The values of `EXPIRING`. */
export function expiringValues(
  tenantId: string,
  projectIds: readonly string[],
  now: Date,
  comparisonsMax = COMPARISONS_MAX,
): readonly unknown[] {
  return [tenantId, projectIds, now, EXPIRING_WITHIN_DAYS, comparisonsMax];
}

/**
 * The open findings of the projects, each once for every `lookup` that a mute which matches it can have and that occurs in
 * the CTE `lookups`. OFFSET 0 makes Postgres read each project once, and not once for each mute.
 */
const openFindings = (lookups: string) => `
  SELECT f.project_id, f.asset_name, f.asset_labels, own.lookup
  FROM unnest($2::uuid[]) AS asked(id)
  CROSS JOIN LATERAL (
    SELECT f.project_id, f.rule_id, f.asset_name, f.asset_labels FROM findings f
    WHERE f.tenant_id = $1 AND f.project_id = asked.id AND f.status = 'open' OFFSET 0) f
  CROSS JOIN LATERAL (VALUES ('any'), ('rule:' || f.rule_id)) AS own(lookup)
  WHERE ${isIn('own.lookup', `SELECT lookup FROM ${lookups}`)} AND EXISTS (SELECT FROM ${lookups})`;

/** The limit of comparisons of each kind. */
const MOST = '$5::bigint';

/** How many rows can be compared with the mutes of `compared_mutes` that meet a condition. */
const mostOf = (condition: string) =>
  `SELECT ${MOST} / max(cardinality(ids)) FROM compared_mutes WHERE ${condition}`;

/**
 * A mute that names a project concerns this project alone. No finding is compared with all other mutes, because a tenant can
 * have 10,000 of them and hundreds of thousands of findings:
 *
 * - Mutes of a fingerprint find it in the index.
 * - Mutes of a rule or a label (`exact`) are found in a hash table.
 * - Mutes by pattern are grouped by `lookup` (`scopes`). Those of small scopes are compared with each finding.
 * - Names that patterns of large scopes match are looked up (`found_names`). For mutes of any finding that need no label, the name
 *   tells (`by_name`); for others, the findings of these names are read (`by_finding`). There are at most `COMPARISONS_MAX`
 *   comparisons of each kind.
 *
 * FULL JOIN is never a nested loop, which Postgres would choose while the statistics of `mutes` are old.
 *
 * `soon` has two separate conditions instead of a range, because Postgres would estimate almost no rows for the range.
 */
export const EXPIRING: Statement = {
  name: 'mutes-expiring',
  reason: 'set',
  text: `
    WITH soon AS MATERIALIZED (
      SELECT * FROM mutes m
      WHERE m.tenant_id = $1 AND m.expires_at > $3 AND m.expires_at - $3::timestamptz <= make_interval(days => $4)
    ), exact AS MATERIALIZED (
      SELECT m.id, m.lookup, ARRAY[m.label_key, m.label_value] AS label FROM soon m
      WHERE m.fingerprint IS NULL AND m.project_id IS NULL AND m.asset_pattern IS NULL
    ), exact_found AS MATERIALIZED (
      SELECT DISTINCT f.project_id, f.lookup, own.label
      FROM (SELECT DISTINCT f.project_id, f.lookup, f.asset_labels FROM (${openFindings('exact')}) f) f
      CROSS JOIN LATERAL (
        SELECT ARRAY[NULL, NULL]::text[] AS label
        UNION ALL
        SELECT ARRAY[l.key, v.value]
        FROM jsonb_each_text(f.asset_labels) l CROSS JOIN LATERAL (VALUES (NULL), (l.value)) AS v(value)
        WHERE ${isIn('l.key', 'SELECT label[1] FROM exact')}) own
      WHERE ${isIn('f.lookup, own.label', 'SELECT lookup, label FROM exact')}
    ), scopes AS MATERIALIZED (
      SELECT m.lookup, array_agg(m.id) AS ids, array_agg(m.asset_pattern) AS asset_patterns,
             array_agg(m.label_key) AS label_keys, array_agg(m.label_value) AS label_values
      FROM soon m WHERE m.project_id IS NULL AND m.asset_pattern IS NOT NULL GROUP BY m.lookup
    ), small_scopes AS MATERIALIZED (
      SELECT * FROM scopes WHERE cardinality(ids) <= ${FEW_PATTERNS}
    ), large_scopes AS MATERIALIZED (
      SELECT lookup FROM scopes WHERE cardinality(ids) > ${FEW_PATTERNS}
    ), in_small AS (
      SELECT f.project_id, m.id AS mute_id
      FROM (${openFindings('small_scopes')} OFFSET 0) f
      JOIN small_scopes s ON s.lookup = f.lookup
      CROSS JOIN LATERAL unnest(s.ids, s.asset_patterns, s.label_keys, s.label_values)
        AS m(id, asset_pattern, label_key, label_value)
      WHERE f.asset_name LIKE ANY (s.asset_patterns) AND ${FITS_ASSET}
      GROUP BY f.project_id, m.id
    ), in_large AS MATERIALIZED (
      SELECT m.*, m.lookup = 'any' AND m.label_key IS NULL AS by_name FROM soon m
      WHERE m.project_id IS NULL AND m.asset_pattern IS NOT NULL AND ${isIn('m.lookup', 'SELECT lookup FROM large_scopes')}
    ), ${namesOfPatterns(
      `SELECT DISTINCT f.asset_name, f.project_id FROM (${openFindings('large_scopes')}) f`,
      { own: 'project_id', most: MOST },
    )}, compared_mutes AS MATERIALIZED (
      SELECT m.by_name, m.lookup, m.part, array_agg(m.id) AS ids, array_agg(m.asset_pattern) AS asset_patterns,
             array_agg(m.label_key) AS label_keys, array_agg(m.label_value) AS label_values
      FROM (
        SELECT m.*, p.part FROM in_large m FULL JOIN pattern_windows p ON p.pattern = m.asset_pattern OFFSET 0) m
      GROUP BY m.by_name, m.lookup, m.part
    ), named AS MATERIALIZED (
      SELECT * FROM found_names LIMIT (${mostOf('by_name')})
    ), by_name AS (
      SELECT f.project_id, m.id AS mute_id
      FROM (
        SELECT n.project_id, n.asset_name, w.ids, w.asset_patterns
        FROM named n FULL JOIN (SELECT * FROM compared_mutes WHERE by_name) w ON w.part = n.part OFFSET 0) f
      CROSS JOIN LATERAL unnest(f.ids, f.asset_patterns) AS m(id, asset_pattern)
      WHERE f.asset_name LIKE m.asset_pattern
      GROUP BY f.project_id, m.id
    ), candidates AS MATERIALIZED (
      SELECT f.project_id, f.asset_name, f.asset_labels, own.lookup, n.part
      FROM (
        SELECT DISTINCT * FROM named n
        WHERE ${isIn('n.part', 'SELECT part FROM compared_mutes WHERE NOT by_name')}) n
      CROSS JOIN LATERAL (
        SELECT f.project_id, f.rule_id, f.asset_name, f.asset_labels FROM findings f
        WHERE f.tenant_id = $1 AND f.asset_name = n.asset_name AND f.project_id = n.project_id AND f.status = 'open'
        OFFSET 0) f
      CROSS JOIN LATERAL (VALUES ('any'), ('rule:' || f.rule_id)) AS own(lookup)
      WHERE ${isIn('own.lookup, n.part', 'SELECT lookup, part FROM compared_mutes WHERE NOT by_name')}
      LIMIT (${mostOf('NOT by_name')})
    ), by_finding AS (
      SELECT f.project_id, m.id AS mute_id
      FROM (
        SELECT c.project_id, c.asset_name, c.asset_labels, w.ids, w.asset_patterns, w.label_keys, w.label_values
        FROM candidates c FULL JOIN (SELECT * FROM compared_mutes WHERE NOT by_name) w
          ON w.lookup = c.lookup AND w.part = c.part
        OFFSET 0) f
      CROSS JOIN LATERAL unnest(f.ids, f.asset_patterns, f.label_keys, f.label_values)
        AS m(id, asset_pattern, label_key, label_value)
      WHERE ${FITS_ASSET}
      GROUP BY f.project_id, m.id
    ), concerned AS (
      SELECT m.project_id, m.id AS mute_id FROM soon m WHERE m.project_id = ANY ($2::uuid[])
      UNION
      SELECT f.project_id, m.id FROM soon m
      CROSS JOIN LATERAL ${NEXT_BY_FINGERPRINT} f
      WHERE m.fingerprint IS NOT NULL AND f.fingerprint = m.fingerprint AND f.project_id = ANY ($2::uuid[]) AND f.status = 'open'
      UNION
      SELECT asked.id, m.id FROM exact m CROSS JOIN unnest($2::uuid[]) AS asked(id)
      WHERE ${isIn('asked.id, m.lookup, m.label', 'SELECT project_id, lookup, label FROM exact_found')}
      UNION
      SELECT project_id, mute_id FROM in_small
      UNION
      SELECT project_id, mute_id FROM by_name
      UNION
      SELECT project_id, mute_id FROM by_finding
    ), partial AS MATERIALIZED (
      SELECT ${lacksNames(MOST)}
          OR COALESCE((SELECT count(*) FROM named) >= (${mostOf('by_name')}), false)
          OR COALESCE((SELECT count(*) FROM candidates) >= (${mostOf('NOT by_name')}), false) AS is_partial
    )
    SELECT asked.id AS project_id, count(m.id)::int AS count, min(m.expires_at) AS first_at, p.is_partial
    FROM unnest($2::uuid[]) AS asked(id)
    CROSS JOIN partial p
    LEFT JOIN (
      SELECT c.project_id, m.id, m.expires_at FROM concerned c FULL JOIN soon m ON m.id = c.mute_id OFFSET 0
    ) m ON m.project_id = asked.id
    GROUP BY asked.id, p.is_partial
    HAVING count(m.id) > 0 OR p.is_partial`,
};
