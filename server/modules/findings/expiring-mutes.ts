import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { FITS_ASSET } from './fits.ts';
import { FEW_PATTERNS, isIn } from './many-patterns.ts';

/** A mute counts as expiring this many days before its end. */
export const EXPIRING_WITHIN_DAYS = 7;

/**
 * How often findings are compared with patterns of mutes at most, in scopes with more than a few patterns: 5,000 findings
 * with 200 patterns. Most findings are ruled out before. A comparison takes about 0.5 µs.
 */
const COMPARISONS_MAX = 1_000_000;

/**
 * So many asset names are searched at once for the texts of all patterns of a scope. Postgres needs 20 to 40 µs to prepare the
 * search for 200 texts, which would be most of the time if it searched each name alone.
 */
const NAMES_AT_ONCE = 50;

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
 * Characters at the end of a pattern's text that are enough to rule most findings out; the beginnings of asset names are the
 * same for many. More would make the expression large.
 */
const TEXT_MAX = 16;

/** The longest text as a regular expression; requires `LONGEST_TEXT`. */
const AS_EXPRESSION = String.raw`regexp_replace(right(longest.text, ${TEXT_MAX}), '([][\\.^$+?(){}|])', '\\\1', 'g')`;

/** Joins the longest text without `*` of the pattern of a mute `m`. */
const LONGEST_TEXT = `
    LEFT JOIN LATERAL (
      SELECT part AS text FROM string_to_table(m.asset, '*') AS part ORDER BY length(part) DESC LIMIT 1) longest ON true`;

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

/**
 * A mute that names a project concerns this project alone. No finding is compared with all other mutes, because a tenant can
 * have 10,000 of them and hundreds of thousands of findings:
 *
 * - Mutes of a fingerprint find it in the index.
 * - Mutes of a rule or a label (`exact`) are found in a hash table.
 * - Mutes by pattern are grouped by `lookup` (`scopes`). In a large scope, only the findings of chunks are compared in whose
 *   asset names a text of the patterns occurs, up to `COMPARISONS_MAX`. Chunks are sorted by name, so that similar names are in
 *   the same one, and by scope, because Postgres keeps few compiled regular expressions. The mutes of a scope are arrays, so
 *   that each finding is compared with them alone, in any plan.
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
      SELECT m.lookup, bool_or(longest.text = '') AS any_asset, string_agg(DISTINCT ${AS_EXPRESSION}, '|') AS texts,
             array_agg(m.id) AS ids, array_agg(m.asset_pattern) AS asset_patterns,
             array_agg(m.label_key) AS label_keys, array_agg(m.label_value) AS label_values
      FROM soon m ${LONGEST_TEXT}
      WHERE m.project_id IS NULL AND m.asset_pattern IS NOT NULL GROUP BY m.lookup
    ), small_scopes AS MATERIALIZED (
      SELECT * FROM scopes WHERE cardinality(ids) <= ${FEW_PATTERNS}
    ), large_scopes AS MATERIALIZED (
      SELECT * FROM scopes WHERE cardinality(ids) > ${FEW_PATTERNS}
    ), bound AS MATERIALIZED (
      SELECT $5::bigint / max(cardinality(ids)) AS findings FROM large_scopes
    ), chunks AS (
      SELECT f.project_id, f.lookup, string_agg(f.asset_name, chr(10)) AS text,
             array_agg(f.asset_name) AS asset_names, array_agg(f.asset_labels) AS asset_labels
      FROM (
        SELECT f.*, row_number() OVER (PARTITION BY f.lookup, f.project_id ORDER BY f.asset_name COLLATE "C") AS number
        FROM (${openFindings('large_scopes')}) f) f
      GROUP BY f.lookup, f.project_id, f.number / ${NAMES_AT_ONCE} ORDER BY f.lookup OFFSET 0
    ), candidates AS (
      SELECT f.project_id, f.lookup, f.asset_name, f.asset_labels, 0 AS number
      FROM (${openFindings('small_scopes')} OFFSET 0) f
      JOIN small_scopes s ON s.lookup = f.lookup
      WHERE f.asset_name LIKE ANY (s.asset_patterns)
      UNION ALL
      (SELECT f.project_id, f.lookup, own.asset_name, own.asset_labels, row_number() OVER () AS number
       FROM chunks f
       JOIN large_scopes s ON s.lookup = f.lookup
       CROSS JOIN LATERAL unnest(f.asset_names, f.asset_labels) AS own(asset_name, asset_labels)
       WHERE s.any_asset OR f.text ~ s.texts
       LIMIT (SELECT findings FROM bound))
    ), compared AS MATERIALIZED (
      SELECT f.project_id, m.id AS mute_id, max(f.number) AS number
      FROM candidates f
      JOIN scopes s ON s.lookup = f.lookup
      LEFT JOIN LATERAL unnest(s.ids, s.asset_patterns, s.label_keys, s.label_values)
        AS m(id, asset_pattern, label_key, label_value) ON ${FITS_ASSET}
      GROUP BY f.project_id, m.id
    ), concerned AS (
      SELECT m.project_id, m.id AS mute_id FROM soon m WHERE m.project_id = ANY ($2::uuid[])
      UNION
      SELECT f.project_id, m.id FROM soon m
      CROSS JOIN LATERAL (
        SELECT f.project_id, f.status FROM findings f
        WHERE f.tenant_id = $1 AND f.fingerprint = m.fingerprint OFFSET 0) f
      WHERE m.fingerprint IS NOT NULL AND f.project_id = ANY ($2::uuid[]) AND f.status = 'open'
      UNION
      SELECT asked.id, m.id FROM exact m CROSS JOIN unnest($2::uuid[]) AS asked(id)
      WHERE ${isIn('asked.id, m.lookup, m.label', 'SELECT project_id, lookup, label FROM exact_found')}
      UNION
      SELECT project_id, mute_id FROM compared WHERE mute_id IS NOT NULL
    ), partial AS MATERIALIZED (
      SELECT COALESCE(max(number) >= (SELECT findings FROM bound), false) AS is_partial FROM compared
    )
    SELECT asked.id AS project_id, count(m.id)::int AS count, min(m.expires_at) AS first_at, p.is_partial
    FROM unnest($2::uuid[]) AS asked(id)
    CROSS JOIN partial p
    LEFT JOIN concerned c ON c.project_id = asked.id
    LEFT JOIN soon m ON m.id = c.mute_id
    GROUP BY asked.id, p.is_partial
    HAVING count(m.id) > 0 OR p.is_partial`,
};
