import { FEW_EXACT, IS_EXACT, isMutedByLabel, isMutedInRule, neededBy } from './exact-mutes.ts';
import { FITS, NEXT_BY_FINGERPRINT } from './fits.ts';
import { FEW_PATTERNS, foundFindings, foundNames, isIn } from './many-patterns.ts';

/*
 * SQL that matches findings `f` with mutes `m`. The tenant is $1; `now` is the placeholder of the time that decides
 * which mutes are active. There are two directions: from findings to their mutes, for pages, where the cost grows with
 * the page; and from mutes to their findings, for whole sets, where the cost grows with the muted findings. Both use
 * `lookup`, the narrowest attribute that a mute shares with its findings, and the conditions below.
 */

const inForce = (now: string) => `m.tenant_id = $1 AND m.expires_at > ${now}`;

/** So many of the newest findings tell which patterns match many. */
const SAMPLE = 50;

/**
 * Fewer values of `lookup` of the other mutes are read once. Postgres does not use the index of a table of few mutes, and
 * would read all of the table for each finding.
 */
const FEW_MUTES = 1_000;

/** CTE of the active mutes that may match any finding. They are few, and are read once for all findings. */
export const mutesOfAny = (now: string) => `
  mutes_of_any AS MATERIALIZED (SELECT * FROM mutes m WHERE ${inForce(now)} AND m.lookup = 'any')`;

/**
 * CTEs to compare many findings with mutes; they require `mutesOfAny`. `any_scope` is a row with what those mutes need: `labels`
 * without a pattern, `patterns` without a label, and `label_patterns` with a label, too. Postgres compares a finding with one
 * pattern after the other until one matches, so those that match most of the newest findings are first.
 */
export const anyScope = (now: string) => `
  any_needed AS MATERIALIZED (${neededBy('mutes_of_any m WHERE true')}),
  any_scope AS MATERIALIZED (
    SELECT 'any' AS lookup, count(*) FILTER (WHERE m.asset_pattern IS NULL) > ${FEW_EXACT} AS is_exact,
           bool_or(m.asset_pattern IS NULL AND m.label_value IS NULL) AS any_value,
           array_agg(DISTINCT m.label_key) FILTER (WHERE m.asset_pattern IS NULL) AS labels,
           array_agg(DISTINCT m.asset_pattern) FILTER (WHERE m.label_key IS NOT NULL) AS label_patterns,
           CASE WHEN count(*) FILTER (WHERE m.label_key IS NULL) <= ${FEW_PATTERNS}
                THEN array_agg(m.asset_pattern) FILTER (WHERE m.label_key IS NULL)
                ELSE ARRAY(
                  SELECT p.asset_pattern FROM mutes_of_any p
                  LEFT JOIN (SELECT f.asset_name FROM findings f WHERE f.tenant_id = $1 ORDER BY f.id DESC LIMIT ${SAMPLE}) f
                    ON f.asset_name LIKE p.asset_pattern
                  WHERE p.label_key IS NULL GROUP BY p.asset_pattern ORDER BY count(f.asset_name) DESC) END AS patterns
    FROM mutes_of_any m HAVING count(*) > 0),
  other_lookups AS MATERIALIZED (
    SELECT m.lookup FROM mutes m WHERE ${inForce(now)} AND m.lookup <> 'any' LIMIT ${FEW_MUTES})`;

/** Whether a mute of `mutesOfAny` matches the finding `f`. IS TRUE keeps Postgres from comparing mutes if there is no array. */
const HAS_MUTE_OF_ANY = `COALESCE((
  SELECT s.is_exact AND ${isMutedByLabel('any_needed')}
         OR f.asset_name LIKE ANY (s.patterns)
         OR (NOT s.is_exact AND f.asset_labels ?| s.labels OR f.asset_name LIKE ANY (s.label_patterns)) IS TRUE
            AND EXISTS (
              SELECT FROM mutes_of_any m
              WHERE m.label_key IS NOT NULL AND NOT (s.is_exact AND m.asset_pattern IS NULL) AND ${FITS})
  FROM any_scope s), false)`;

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
 * The other active mutes of one finding. OFFSET 0 makes Postgres look up one value after the other.
 * Right after a bulk mute, when its statistics are old, it would otherwise read all mutes of the tenant for each
 * finding.
 */
const otherMutesOf = (now: string) => `
  SELECT m.id, m.reason, m.expires_at
  FROM unnest(ARRAY[encode(f.fingerprint, 'hex'), 'rule:' || f.rule_id, 'project:' || f.project_id]) AS by_lookup(value)
  CROSS JOIN LATERAL (
    SELECT m.id, m.reason, m.expires_at FROM mutes m
    WHERE ${inForce(now)} AND m.lookup = by_lookup.value AND ${FITS} OFFSET 0) m`;

/** The same of one of many findings; requires `anyScope`. */
const otherMutesOfEach = (now: string) => `
  ${otherMutesOf(now)}
  WHERE (SELECT count(*) = ${FEW_MUTES} FROM other_lookups)
     OR ${isIn('by_lookup.value', 'SELECT lookup FROM other_lookups')}`;

/**
 * Whether a finding `f` has an active mute; requires `mutesOfAny` and `anyScope`. A page without muted findings may have to skip all
 * findings of a tenant. CASE makes Postgres compare those mutes first that are in memory.
 */
export const hasMute = (now: string) =>
  `CASE WHEN ${HAS_MUTE_OF_ANY} THEN true ELSE EXISTS (${otherMutesOfEach(now)}) END`;

const lastingOf = (others: string, isCompared: string) => `
  SELECT m.reason, m.expires_at
  FROM (
    ${others}
    UNION ALL
    SELECT m.id, m.reason, m.expires_at FROM mutes_of_any m WHERE ${isCompared} AND ${FITS}) m
  ORDER BY m.expires_at DESC, m.id DESC LIMIT 1`;

/** The mute of a finding that ends last, which is the one the finding shows; requires `mutesOfAny`. */
export const lastingMuteOf = (now: string) => lastingOf(otherMutesOf(now), 'true');

/** The same of each of many findings; requires `mutesOfAny` and `anyScope`. Postgres takes longer to plan it. */
export const lastingMuteOfEach = (now: string) => lastingOf(otherMutesOfEach(now), HAS_MUTE_OF_ANY);

/**
 * Per value of `lookup`, one condition that every finding of its selectors meets, so that each finding is read once and
 * not once for each selector: the patterns if they are few, and the keys of the labels. Scopes with many patterns are large.
 * `compared` has the mutes that are compared one by one. A search for them in the table would read all mutes of the tenant for each
 * finding while the statistics of `mutes` are old, as after a bulk mute.
 */
const selectorScopes = (now: string) => `
  scopes AS MATERIALIZED (
    SELECT m.lookup, min(m.rule_id) AS rule_id, min(m.project_id::text)::uuid AS project_id,
           bool_or(m.asset IS NULL AND m.rule_id IS NOT NULL AND m.project_id IS NOT NULL) AS in_projects,
           bool_or(${IS_WHOLE} AND (m.rule_id IS NULL OR m.project_id IS NULL)) AS is_whole,
           count(*) FILTER (WHERE ${IS_EXACT}) > ${FEW_EXACT} AS is_exact,
           bool_or(m.asset IS NULL AND m.label_key IS NOT NULL AND m.label_value IS NULL) AS any_value,
           count(DISTINCT m.asset_pattern) > ${FEW_PATTERNS} AS is_large,
           CASE WHEN count(DISTINCT m.asset_pattern) <= ${FEW_PATTERNS}
                THEN array_agg(DISTINCT m.asset_pattern) FILTER (WHERE m.asset_pattern IS NOT NULL) END AS patterns,
           array_agg(DISTINCT m.label_key) FILTER (WHERE m.asset IS NULL AND m.label_key IS NOT NULL) AS labels,
           CASE WHEN count(*) FILTER (WHERE ${IS_EXACT}) <= ${FEW_EXACT}
                THEN array_agg(m) FILTER (WHERE m.asset_pattern IS NULL) END
           || CASE WHEN count(DISTINCT m.asset_pattern) <= ${FEW_PATTERNS}
                   THEN array_agg(m) FILTER (WHERE m.asset_pattern IS NOT NULL) END AS compared
    FROM mutes m
    WHERE ${inForce(now)} AND m.fingerprint IS NULL GROUP BY m.lookup)`;

/**
 * Which of `scopes` to take, the findings `f` of a scope `s` that an index finds, and whether one of many mutes without a pattern
 * matches.
 */
const SCOPES = [
  ['s.rule_id IS NOT NULL', 'f.rule_id = s.rule_id', isMutedInRule('needed')],
  [
    's.rule_id IS NULL AND s.project_id IS NOT NULL',
    'f.project_id = s.project_id',
    isMutedByLabel('needed'),
  ],
  ["s.lookup = 'any'", 'true', isMutedByLabel('needed')],
] as const;

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
  needed AS MATERIALIZED (${neededBy(`mutes m WHERE ${inForce(now)}`)}),
  ${foundNames(inForce(now), ['true', ...among].join(' AND '))},
  muted_each AS MATERIALIZED (SELECT * FROM mutes m WHERE ${inForce(now)} AND m.fingerprint IS NOT NULL),
  muted AS MATERIALIZED (
    SELECT DISTINCT ON (f.id) f.* FROM (
      ${foundEach(isCounted, all)}
      ${SCOPES.map(
        ([which, indexed, isExact]) => `UNION ALL
      SELECT ${all}
      FROM scopes s
      CROSS JOIN LATERAL (
        SELECT * FROM findings f
        WHERE f.tenant_id = $1 AND ${indexed} AND ${isCounted}
          AND (s.is_whole
               OR s.is_exact AND ${isExact}
               OR (NOT s.is_exact AND (s.in_projects OR f.asset_labels ?| s.labels)
                   OR f.asset_name LIKE ANY (s.patterns)) IS TRUE
                  AND (SELECT true FROM unnest(s.compared) m WHERE ${FITS} LIMIT 1))
        OFFSET 0) f
      WHERE ${which} ${whole === 'apart' ? 'AND NOT s.is_whole' : ''}
        AND (s.is_whole OR s.in_projects OR s.labels IS NOT NULL OR s.patterns IS NOT NULL)`,
      ).join('\n      ')}
      UNION ALL ${foundFindings([...OF_MUTED, ...columns], isCounted)}) f)`;
}

const foundEach = (isCounted: string, columns: string) => `
  SELECT ${columns}
  FROM muted_each m
  CROSS JOIN LATERAL ${NEXT_BY_FINGERPRINT} f
  WHERE f.fingerprint = m.fingerprint AND ${isCounted}`;
