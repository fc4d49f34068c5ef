/*
 * SQL that matches findings `f` with mutes `m`. The tenant is $1; `now` is the placeholder of the time that decides
 * which mutes are active. There are two directions: from findings to their mutes, for pages, where the cost grows with
 * the page; and from mutes to their findings, for whole sets, where the cost grows with the muted findings. Both use
 * `lookup`, the narrowest attribute that a mute shares with its findings, and the conditions below.
 */

/** Whether a mute matches the asset of the finding. */
export const FITS_ASSET = `
  (m.asset_pattern IS NULL OR f.asset_name LIKE m.asset_pattern)
  AND (m.label_key IS NULL OR CASE WHEN m.label_value IS NULL THEN f.asset_labels ? m.label_key
                                   ELSE f.asset_labels ->> m.label_key = m.label_value END)`;

/** Whether a mute found by its `lookup` matches the finding in every member that is set. */
export const FITS = `
  (m.rule_id IS NULL OR m.rule_id = f.rule_id)
  AND (m.project_id IS NULL OR m.project_id = f.project_id)
  AND ${FITS_ASSET}`;

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
 * Characters at the end of a pattern's text that are enough to rule most findings out; the beginnings of asset names are the
 * same for many. More would make the expression large.
 */
const TEXT_MAX = 16;

/** The longest text as a regular expression; requires `LONGEST_TEXT`. */
export const AS_EXPRESSION = String.raw`regexp_replace(right(longest.text, ${TEXT_MAX}), '([][\\.^$+?(){}|])', '\\\1', 'g')`;

/**
 * Up to so many patterns are compared one by one. On 3,800 asset names, a regular expression took 4.4 ms more than a plain
 * read, and a pattern 0.1 to 0.5 ms.
 */
export const FEW_PATTERNS = 8;

/** Joins the longest text without `*` of the pattern of a mute `m`. */
export const LONGEST_TEXT = `
    LEFT JOIN LATERAL (
      SELECT part AS text FROM string_to_table(m.asset, '*') AS part ORDER BY length(part) DESC LIMIT 1) longest ON true`;

/**
 * Per value of `lookup`, one condition that every finding of its selectors meets, so that each finding is read once and
 * not once for each of up to 200 selectors: the patterns if they are few, otherwise a regular expression with the longest
 * text without `*` of each pattern; and the keys of the labels. Postgres searches all texts in one pass over the asset
 * name. Patterns themselves as expressions could take exponential space; texts cannot.
 */
const selectorScopes = (now: string) => `
  scopes AS MATERIALIZED (
    SELECT m.lookup, min(m.rule_id) AS rule_id, min(m.project_id::text)::uuid AS project_id,
           bool_or(m.asset IS NULL AND m.label_key IS NULL OR longest.text = '') AS any_asset,
           bool_or(${IS_WHOLE} AND (m.rule_id IS NULL OR m.project_id IS NULL)) AS is_whole,
           string_agg(DISTINCT ${AS_EXPRESSION}, '|') AS texts,
           CASE WHEN count(DISTINCT m.asset_pattern) <= ${FEW_PATTERNS}
                THEN array_agg(DISTINCT m.asset_pattern) FILTER (WHERE m.asset_pattern IS NOT NULL) END AS patterns,
           array_agg(DISTINCT m.label_key) FILTER (WHERE m.asset IS NULL AND m.label_key IS NOT NULL) AS labels
    FROM mutes m ${LONGEST_TEXT}
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
const OF_MUTED =
  'f.id, f.project_id, f.rule_id, f.severity, f.status, f.asset_type, f.delta, f.last_scan_id';

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
  const all = [OF_MUTED, ...columns.map((column) => `f.${column}`)].join(', ');
  const isCounted = [whole === 'apart' ? `NOT ${IS_MUTED_WHOLE}` : 'true', ...among].join(' AND ');
  return `
  ${selectorScopes(now)},
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
          AND (s.any_asset OR f.asset_labels ?| s.labels
               OR CASE WHEN s.patterns IS NULL THEN f.asset_name ~ s.texts ELSE f.asset_name LIKE ANY (s.patterns) END)
        OFFSET 0) f
      WHERE ${which} ${whole === 'apart' ? 'AND NOT s.is_whole' : ''}
        AND (s.is_whole OR (SELECT true FROM ${mutes} AND ${FITS} LIMIT 1))`,
        )
        .join('\n      ')}) f)`;
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
