/*
 * How findings and mutes meet, in SQL: mutes `m`, findings `f`, the tenant in $1, and `now` the placeholder of the moment
 * that decides which mutes are in force. There are two ways in. From a finding to its mutes is for pages: what it takes
 * grows with the page. From the mutes to their findings is for everything at once: what it takes grows with what is muted.
 * Both rest on `lookup`, the narrowest thing that a mute shares with its findings, and on the conditions below.
 */

/** Whether a mute that was looked up is about the finding: all that it says has to fit. */
const FITS = `
  (m.rule_id IS NULL OR m.rule_id = f.rule_id)
  AND (m.project_id IS NULL OR m.project_id = f.project_id)
  AND (m.asset_pattern IS NULL OR f.asset_name LIKE m.asset_pattern)
  AND (m.label_key IS NULL OR CASE WHEN m.label_value IS NULL THEN f.asset_labels ? m.label_key
                                   ELSE f.asset_labels ->> m.label_key = m.label_value END)`;

const inForce = (now: string) => `m.tenant_id = $1 AND m.expires_at > ${now}`;

/** A common table expression: the mutes in force that any finding may fit. Few, and read once for all findings. */
export const mutesOfAny = (now: string) => `
  mutes_of_any AS MATERIALIZED (SELECT * FROM mutes m WHERE ${inForce(now)} AND m.lookup = 'any')`;

/** The mutes in force of one finding; wants `mutesOfAny`. */
export const mutesOf = (now: string) => `
  SELECT m.id, m.reason, m.expires_at FROM mutes m
  WHERE ${inForce(now)} AND ${FITS} AND m.lookup = ANY (ARRAY[
    encode(f.fingerprint, 'hex'), 'rule:' || f.rule_id, 'project:' || f.project_id])
  UNION ALL
  SELECT m.id, m.reason, m.expires_at FROM mutes_of_any m WHERE ${FITS}`;

/** Of the mutes of a finding the one that lasts longest: it is what the finding shows. */
export const lastingMuteOf = (now: string) => `
  SELECT m.reason, m.expires_at FROM (${mutesOf(now)}) m ORDER BY m.expires_at DESC, m.id DESC LIMIT 1`;

/** Common table expressions, of which `muted` has all findings that are muted, each once; wants `mutesOfAny`. */
export const mutedFindings = (now: string) => `
  in_force AS MATERIALIZED (SELECT * FROM mutes m WHERE ${inForce(now)} AND m.lookup <> 'any'),
  muted AS MATERIALIZED (
    SELECT DISTINCT id, project_id, rule_id, severity, status FROM (${findingsOf('in_force', 'mutes_of_any')}) f)`;

/**
 * The findings of mutes, each with the mute's id: one that several are about comes several times. Both parameters are
 * common table expressions with the columns of `mutes`, of this tenant alone.
 * @param ofAny those that any finding may fit: apart, since each finding is held against each of them.
 */
export const findingsOf = (mutes: string, ofAny: string) => `
  ${found(mutes, 'm.fingerprint IS NOT NULL', 'f.fingerprint = m.fingerprint')}
  UNION ALL
  ${found(mutes, 'm.rule_id IS NOT NULL', `f.rule_id = m.rule_id AND ${FITS}`)}
  UNION ALL
  ${found(mutes, 'm.rule_id IS NULL AND m.project_id IS NOT NULL', `f.project_id = m.project_id AND ${FITS}`)}
  UNION ALL
  ${found(ofAny, 'true', FITS)}`;

/**
 * Looked up for one mute after the other, which OFFSET 0 holds Postgres to: for a large tenant it would rather go through
 * all findings of all tenants once.
 */
const found = (mutes: string, which: string, fits: string) => `
  SELECT f.id, f.project_id, f.rule_id, f.severity, f.status, m.id AS mute_id
  FROM ${mutes} m
  CROSS JOIN LATERAL (SELECT * FROM findings f WHERE f.tenant_id = $1 AND ${fits} OFFSET 0) f
  WHERE ${which}`;
