import { FITS } from './fits.ts';

/*
 * Finds the findings of scopes with many asset patterns. Comparing each name with each pattern takes 0.15 µs, and a regular
 * expression of all texts takes 40 to 200 µs for a name, because Postgres builds its automaton again for each name. Here the cost
 * of a name hardly depends on the number of patterns:
 *
 * - A name that a pattern matches contains each text between the `*` of the pattern, and so each window of such a text.
 * - A window of 2 n - 1 bytes anywhere in a name contains one of the grams of n bytes at the positions 1, n + 1, 2 n + 1 … of the
 *   name. These few grams are looked up in a hash table of all grams of all windows; around those that are found, the windows.
 * - Each pattern has one text, the longest that few others have, and one window of it, the one that the fewest others have. So
 *   what patterns have in common, such as the beginnings of names, does not count.
 *
 * Texts are compared as bytes of UTF-8. No character of UTF-8 is within another one, so this equals comparing characters.
 */

/**
 * Up to so many patterns are compared one by one. On 3,800 asset names, a regular expression took 4.4 ms more than a plain
 * read, and a pattern 0.1 to 0.5 ms.
 */
export const FEW_PATTERNS = 8;

/** Lengths of grams in bytes. The largest is taken for which all but a few patterns have a window. */
const GRAMS = [8, 4, 2];
const LEAST_GRAM = 2;

/** The length of windows for a length of grams, both in SQL. */
const windowOf = (gram: string) => `(2 * ${gram} - 1)`;

/**
 * How many bytes of a window can precede a gram. Postgres estimates a thousand rows for a series instead, and builds no hash table
 * of so many grams.
 */
const PLACES = `(VALUES ${Array.from({ length: Math.max(...GRAMS) }, (_, at) => `(${at})`).join(', ')}) AS own(before)`;

/**
 * Whether rows contain a value. IS TRUE makes Postgres look it up in a hash table; it would otherwise join, and compare each value
 * with each row when it estimates that there are few.
 */
export const isIn = (value: string, rows: string) => `((${value}) IN (${rows})) IS TRUE`;

/**
 * CTEs that define `in_large`, the mutes by pattern of large scopes, and `found_names`. They need `scopes`. Only names of findings
 * in large scopes are read; if there is one for any finding, all of them from the index of names.
 * @param inForce the condition on active mutes `m`.
 * @param among the condition on findings `f` whose names are read.
 */
export function foundNames(inForce: string, among: string): string {
  const large = 's.is_large AND NOT s.is_whole';
  const isAny = `EXISTS (SELECT FROM scopes s WHERE ${large} AND s.lookup = 'any')`;
  const namesOf = (which: string, indexed: string) => `
    SELECT DISTINCT f.asset_name
    FROM scopes s
    CROSS JOIN LATERAL (
      SELECT f.asset_name FROM findings f WHERE f.tenant_id = $1 AND ${indexed} AND ${among} OFFSET 0) f
    WHERE ${large} AND ${which} AND NOT ${isAny}`;
  const names = `
    SELECT DISTINCT f.asset_name FROM findings f WHERE f.tenant_id = $1 AND ${among} AND ${isAny}
    UNION ALL ${namesOf('s.rule_id IS NOT NULL', 'f.rule_id = s.rule_id')}
    UNION ALL ${namesOf('s.rule_id IS NULL AND s.project_id IS NOT NULL', 'f.project_id = s.project_id')}`;
  return `
  in_large AS MATERIALIZED (
    SELECT m.lookup, m.asset, m.asset_pattern, m AS mute FROM mutes m
    WHERE ${inForce} AND m.asset_pattern IS NOT NULL
      AND ${isIn('m.lookup', `SELECT s.lookup FROM scopes s WHERE ${large}`)}),
  ${namesOfPatterns(names)}`;
}

/** How many rows `near_names` and `short_names` have for so many comparisons with patterns. Null if there is nothing to compare. */
const nearMost = (most: string) => `
  SELECT ${most} / max(w.patterns) FROM (SELECT count(*) AS patterns FROM pattern_windows GROUP BY part) w`;
const shortMost = (most: string) => `SELECT ${most} / cardinality(patterns) FROM short_patterns`;

/** Whether `found_names` can lack some, because there would be more comparisons than `most`. */
export const lacksNames = (most: string) => `(
  COALESCE((SELECT count(*) FROM near_names) >= (${nearMost(most)}), false)
  OR COALESCE((SELECT count(*) FROM short_names) >= (${shortMost(most)}), false))`;

/** How `namesOfPatterns` are looked up. */
interface NamesOptions {
  /** A further column that names are read with. Default: none. */
  readonly own?: string;
  /** How many comparisons with patterns there can be at most, in SQL; then `found_names` can lack some. Default: any number. */
  readonly most?: string;
}

/**
 * CTEs that define `found_names`: the asset names that patterns of `in_large` match, with their windows, some more than once; and
 * `near_names` and `short_names`, those that are compared with patterns.
 * @param names selects them, each once.
 */
export function namesOfPatterns(names: string, { own = '', most }: NamesOptions = {}): string {
  const size = GRAMS.map((gram) =>
    gram === LEAST_GRAM
      ? `ELSE ${gram}`
      : `WHEN count(*) FILTER (WHERE length(text) < ${windowOf(`${gram}`)}) <= ${FEW_PATTERNS} THEN ${gram}`,
  );
  const columns = (table: string) =>
    ['asset_name', own]
      .filter((column) => column !== '')
      .map((column) => `${table}.${column}`)
      .join(', ');
  const kept = most === undefined ? '' : 'MATERIALIZED';
  const limit = (rows: (most: string) => string) =>
    most === undefined ? '' : `LIMIT (${rows(most)})`;
  return `
  pattern_texts AS MATERIALIZED (
    SELECT DISTINCT ON (pattern) pattern, text FROM (
      SELECT pattern, text, length(text) AS length, place, count(*) OVER (PARTITION BY text) AS patterns FROM (
        SELECT p.pattern, t.place, convert_to(t.text, 'UTF8') AS text
        FROM (SELECT asset_pattern AS pattern, min(asset) AS asset FROM in_large GROUP BY asset_pattern) p
        CROSS JOIN LATERAL string_to_table(p.asset, '*') WITH ORDINALITY AS t(text, place)) t) t
    ORDER BY pattern, length < ${windowOf(`${LEAST_GRAM}`)}, patterns > ${FEW_PATTERNS},
             CASE WHEN patterns > ${FEW_PATTERNS} THEN patterns END, length DESC, place DESC),
  gram AS MATERIALIZED (SELECT CASE ${size.join(' ')} END AS size FROM pattern_texts),
  pattern_windows AS MATERIALIZED (
    SELECT DISTINCT ON (pattern) pattern, part FROM (
      SELECT pattern, part, at, count(*) OVER (PARTITION BY part) AS patterns FROM (
        SELECT t.pattern, own.at, substr(t.text, own.at, ${windowOf('g.size')}) AS part
        FROM gram g CROSS JOIN pattern_texts t
        CROSS JOIN LATERAL (
          SELECT generate_series(1, length(t.text) - ${windowOf('g.size')} + 1, g.size) AS at
          UNION SELECT length(t.text) - ${windowOf('g.size')} + 1 WHERE length(t.text) >= ${windowOf('g.size')}) own) w
      UNION ALL SELECT pattern, ''::bytea, 0, NULL FROM pattern_texts) w
    ORDER BY pattern, patterns NULLS LAST, at DESC),
  short_patterns AS MATERIALIZED (
    SELECT array_agg(pattern) AS patterns FROM pattern_windows WHERE part = '' HAVING count(*) > 0),
  windows AS MATERIALIZED (SELECT DISTINCT part FROM pattern_windows WHERE part <> ''),
  grams AS MATERIALIZED (
    SELECT DISTINCT substr(w.part, own.before + 1, g.size) AS gram
    FROM gram g CROSS JOIN windows w JOIN ${PLACES} ON own.before < g.size),
  names_of_large AS NOT MATERIALIZED (${names}),
  near_names AS ${kept} (
    SELECT ${columns('h')}, w.part
    FROM (
      SELECT * FROM (
        SELECT n.*, g.size, generate_series(1, length(n.bytes) - g.size + 1, g.size) AS at
        FROM gram g
        CROSS JOIN (
          SELECT n.*, convert_to(n.asset_name, 'UTF8') AS bytes
          FROM names_of_large n WHERE EXISTS (SELECT FROM windows) OFFSET 0) n) n
      WHERE ${isIn('substr(n.bytes, n.at, n.size)', 'SELECT gram FROM grams')} OFFSET 0) h
    CROSS JOIN LATERAL (
      SELECT substr(h.bytes, h.at - own.before, ${windowOf('h.size')}) AS part
      FROM ${PLACES} WHERE own.before < h.size) w
    WHERE ${isIn('w.part', 'SELECT part FROM windows')}
    ${limit(nearMost)}),
  short_names AS ${kept} (
    SELECT * FROM names_of_large n WHERE EXISTS (SELECT FROM short_patterns) OFFSET 0
    ${limit(shortMost)}),
  found_names AS (
    SELECT ${columns('n')}, n.part
    FROM (
      SELECT n.*, w.patterns
      FROM near_names n
      FULL JOIN (SELECT part, array_agg(pattern) AS patterns FROM pattern_windows GROUP BY part) w ON w.part = n.part
      OFFSET 0) n
    WHERE n.asset_name LIKE ANY (n.patterns)
    UNION ALL
    SELECT ${columns('n')}, ''::bytea
    FROM short_patterns s CROSS JOIN short_names n
    WHERE n.asset_name LIKE ANY (s.patterns))`;
}

/**
 * Selects the findings that mutes of `in_large` match, some more than once; requires `foundNames`. FULL JOIN is a hash
 * or merge join, never a nested loop, whatever Postgres estimates.
 * @param columns of findings `f`.
 * @param isCounted a condition on findings `f`.
 */
export function foundFindings(columns: readonly string[], isCounted: string): string {
  const names = columns.map((column) => `f.${column}`).join(', ');
  const read = [
    ...new Set([...columns, 'id', 'rule_id', 'project_id', 'asset_name', 'asset_labels']),
  ];
  return `
  SELECT ${names}
  FROM (
    SELECT c.*, w.mutes
    FROM (
      SELECT f.*, n.part, own.lookup
      FROM found_names n
      CROSS JOIN LATERAL (
        SELECT ${read.join(', ')} FROM findings f
        WHERE f.tenant_id = $1 AND f.asset_name = n.asset_name AND ${isCounted} OFFSET 0) f
      CROSS JOIN LATERAL (
        VALUES ('any'), ('rule:' || f.rule_id), ('project:' || f.project_id)) AS own(lookup)
      WHERE ${isIn('own.lookup', 'SELECT lookup FROM in_large')}) c
    FULL JOIN (
      SELECT m.lookup, m.part, array_agg(m.mute) AS mutes
      FROM (
        SELECT m.lookup, m.mute, p.part
        FROM in_large m FULL JOIN pattern_windows p ON p.pattern = m.asset_pattern OFFSET 0) m
      GROUP BY m.lookup, m.part) w ON w.lookup = c.lookup AND w.part = c.part
    OFFSET 0) f
  WHERE f.id IS NOT NULL AND (SELECT true FROM unnest(f.mutes) m WHERE ${FITS} LIMIT 1)`;
}
