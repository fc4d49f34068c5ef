import { FITS } from './fits.ts';
import { FEW_PATTERNS, foundFindings, foundNames } from './many-patterns.ts';

/*
 * SQL that matches findings `f` with mutes `m`. The tenant is $1; `now` is the placeholder of the time that decides
 * which mutes are active. There are two directions: from findings to their mutes, for pages, where the cost grows with
 * the page; and from mutes to their findings, for whole sets, where the cost grows with the muted findings. Both use
 * `lookup`, the narrowest attribute that a mute shares with its findings, and the conditions below.
 */

const inForce = (now: string) => `m.tenant_id = $1 AND m.expires_at > ${now}`;

/** CTE of the active mutes that may match any finding. They are few, and are read once for all findings. */
export const mutesOfAny = (now: string) => `
  mutes_of_any AS MATERIALIZED (SELECT * FROM mutes m WHERE ${inForce(now)} AND m.lookup = 'any')`;

/** Mutes of all findings of a rule, of a project, or of a rule in a project. */
const IS_WHOLE = 'm.fingerprint IS NULL AND m.asset_pattern IS NULL AND m.label_key IS NULL';

/** CTE of what the active mutes of whole rules and projects mute. */
export const wholeMutes = (now: string) => `
  whole_mutes AS MATERIALIZED (
    SELECT DISTINCT m.rule_id, m.project_id FROM mutes m WHERE ${inForce(now)} AND ${IS_WHOLE})`;

const WHOLE_PROJECTS = 'SELECT project_id FROM whole_mutes WHERE rule_id IS NULL';
const WHOLE_RULES = 'SELECT rule_id FROM whole_mutes WHERE project_id IS NULL';

/**
 * Whether a mute of its whole rule or project mutes the finding `f`; requires `wholeMutes`. Postgres looks each finding up in
 * hash tables of these few mutes; a search for the mutes of each takes seconds when a project with 300,000 findings is muted.
 */
export const IS_MUTED_WHOLE = `(
  f.project_id IN (${WHOLE_PROJECTS}) OR f.rule_id IN (${WHOLE_RULES})
  OR (f.project_id, f.rule_id) IN (
    SELECT project_id, rule_id FROM whole_mutes WHERE project_id IS NOT NULL AND rule_id IS NOT NULL))`;

/** Conditions that a project or a rule, given in SQL, is not muted as a whole; they require `wholeMutes`. */
export const IS_UNMUTED = {
  project_id: (id: string) => `${id} NOT IN (${WHOLE_PROJECTS})`,
  rule_id: (id: string) => `${id} NOT IN (${WHOLE_RULES})`,
} as const;

/**
 * The active mutes of one finding; requires `mutesOfAny`. OFFSET 0 makes Postgres look up one value after the other.
 * Right after a bulk mute, when its statistics are old, it would otherwise read all mutes of the tenant for each
 * finding.
 */
export const mutesOf = (now: string) => `
  SELECT m.id, m.reason, m.expires_at
  FROM unnest(ARRAY[encode(f.fingerprint, 'hex'), 'rule:' || f.rule_id, 'project:' || f.project_id]) AS by_lookup(value)
  CROSS JOIN LATERAL (
    SELECT m.id, m.reason, m.expires_at FROM mutes m
    WHERE ${inForce(now)} AND m.lookup = by_lookup.value AND ${FITS} OFFSET 0) m
  UNION ALL
  SELECT m.id, m.reason, m.expires_at FROM mutes_of_any m WHERE ${FITS}`;

/** The mute of a finding that ends last, which is the one the finding shows. */
export const lastingMuteOf = (now: string) => `
  SELECT m.reason, m.expires_at FROM (${mutesOf(now)}) m ORDER BY m.expires_at DESC, m.id DESC LIMIT 1`;

/**
 * Per value of `lookup`, one condition that every finding of its selectors meets, so that each finding is read once and
 * not once for each selector: the patterns if they are few, and the keys of the labels. Scopes with many patterns are large.
 */
const selectorScopes = (now: string) => `
  scopes AS MATERIALIZED (
    SELECT m.lookup, min(m.rule_id) AS rule_id, min(m.project_id::text)::uuid AS project_id,
           bool_or(m.asset IS NULL AND m.label_key IS NULL) AS any_asset,
           bool_or(${IS_WHOLE} AND (m.rule_id IS NULL OR m.project_id IS NULL)) AS is_whole,
           count(DISTINCT m.asset_pattern) > ${FEW_PATTERNS} AS is_large,
           CASE WHEN count(DISTINCT m.asset_pattern) <= ${FEW_PATTERNS}
                THEN array_agg(DISTINCT m.asset_pattern) FILTER (WHERE m.asset_pattern IS NOT NULL) END AS patterns,
           array_agg(DISTINCT m.label_key) FILTER (WHERE m.asset IS NULL AND m.label_key IS NOT NULL) AS labels
    FROM mutes m
    WHERE ${inForce(now)} AND m.fingerprint IS NULL GROUP BY m.lookup)`;

/** Which of `scopes` to take, the findings `f` of a scope `s` that an index finds, and the mutes `m` of that scope. */
const scopesOf = (now: string) => {
  const looked = `mutes m WHERE ${inForce(now)} AND m.lookup = s.lookup`;
  return [
    ['s.rule_id IS NOT NULL', 'f.rule_id = s.rule_id', looked],
    ['s.rule_id IS NULL AND s.project_id IS NOT NULL', 'f.project_id = s.project_id', looked],
    ["s.lookup = 'any'", 'true', 'mutes_of_any m WHERE true'],
  ] as const;
};

/** The columns that `muted` always has: the id, and what filters of a column need. */
const OF_MUTED = [
  'id',
  'project_id',
  'rule_id',
  'severity',
  'status',
  'asset_type',
  'delta',
  'last_scan_id',
];

/** How `mutedFindings` are read. */
export interface MutedSource {
  /** `apart`: without those that `IS_MUTED_WHOLE` finds. */
  readonly whole: 'included' | 'apart';
  /** Further columns of `findings`. Default: none. */
  readonly columns?: readonly string[];
  /** Conditions on findings `f` that all of them meet. Default: none. */
  readonly among?: readonly string[];
}

/**
 * CTEs that define `muted`: all muted findings, each once; they need `mutesOfAny`. OFFSET 0 and LIMIT 1 make Postgres keep
 * this order: the scope, its findings, and for each of them the selectors of the scope until one matches.
 * Those apart need `wholeMutes` too.
 */
export function mutedFindings(
  now: string,
  { whole, columns = [], among = [] }: MutedSource,
): string {
  const all = [...OF_MUTED, ...columns].map((column) => `f.${column}`).join(', ');
  const isCounted = [whole === 'apart' ? `NOT ${IS_MUTED_WHOLE}` : 'true', ...among].join(' AND ');
  return `
  ${selectorScopes(now)},
  ${foundNames(inForce(now), ['true', ...among].join(' AND '))},
  muted_each AS MATERIALIZED (SELECT * FROM mutes m WHERE ${inForce(now)} AND m.fingerprint IS NOT NULL),
  muted AS MATERIALIZED (
    SELECT DISTINCT ON (f.id) f.* FROM (
      ${found('muted_each', 'true', `f.fingerprint = m.fingerprint AND ${isCounted}`, all)}
      ${scopesOf(now)
        .map(
          ([which, indexed, mutes]) => `UNION ALL
      SELECT ${all}
      FROM scopes s
      CROSS JOIN LATERAL (
        SELECT * FROM findings f
        WHERE f.tenant_id = $1 AND ${indexed} AND ${isCounted}
          AND (s.any_asset OR f.asset_labels ?| s.labels OR f.asset_name LIKE ANY (s.patterns))
        OFFSET 0) f
      WHERE ${which} ${whole === 'apart' ? 'AND NOT s.is_whole' : ''}
        AND (s.any_asset OR s.labels IS NOT NULL OR s.patterns IS NOT NULL)
        AND (s.is_whole OR (
          SELECT true FROM ${mutes} AND (m.asset_pattern IS NULL OR NOT s.is_large) AND ${FITS} LIMIT 1))`,
        )
        .join('\n      ')}
      UNION ALL ${foundFindings([...OF_MUTED, ...columns], isCounted)}) f)`;
}

/**
 * OFFSET 0 forces Postgres to look findings up for each mute; for a large tenant it would otherwise scan the findings
 * of all tenants.
 */
const found = (mutes: string, which: string, fits: string, columns: string) => `
  SELECT ${columns}
  FROM ${mutes} m
  CROSS JOIN LATERAL (SELECT * FROM findings f WHERE f.tenant_id = $1 AND ${fits} OFFSET 0) f
  WHERE ${which}`;
