import { isIn } from './many-patterns.ts';

/*
 * Finds the mutes of findings that have no asset pattern: by label, and by a rule in a project. Comparing a finding with 200 mutes
 * by label takes 30 to 40 µs. Here the keys of its labels are looked up in a hash table, and then what a mute needs: 1 to 2 µs.
 */

/** Up to so many mutes of a scope without a pattern are compared one by one. */
export const FEW_EXACT = 8;

/** Up to so many keys are compared with the labels of a finding at once. */
const FEW_KEYS = 8;

/** Mutes `m` without a pattern, except those of all findings of a rule or of a project. */
export const IS_EXACT = `(
  m.fingerprint IS NULL AND m.asset_pattern IS NULL
  AND (m.label_key IS NOT NULL OR m.rule_id IS NOT NULL AND m.project_id IS NOT NULL))`;

/**
 * Selects what these mutes need a finding to have. Arrays, because hash tables of them can have null: any project, no label, or any
 * value of the label. `lookup` has the project if there is no rule.
 */
export const neededBy = (mutes: string) => `
    SELECT m.label_key,
           ARRAY[m.lookup, CASE WHEN m.rule_id IS NOT NULL THEN m.project_id::text END, m.label_key, m.label_value] AS needed
    FROM ${mutes} AND ${IS_EXACT}`;

const isNeeded = (needed: string, project: string, key: string, value: string) =>
  isIn(`ARRAY[s.lookup, ${project}, ${key}, ${value}]`, `SELECT needed FROM ${needed}`);

const isLabelNeeded = (needed: string, project: string) => `(
  ${isNeeded(needed, project, 'own.key', 'f.asset_labels ->> own.key')}
  OR s.any_value AND ${isNeeded(needed, project, 'own.key', 'NULL')})`;

const hasLabel = (needed: string, condition: string) => `(
  CASE WHEN cardinality(s.labels) <= ${FEW_KEYS} THEN f.asset_labels ?| s.labels ELSE s.labels IS NOT NULL END
  AND (
    SELECT true
    FROM (SELECT jsonb_object_keys(f.asset_labels) AS key OFFSET 0) own
    WHERE ${isIn('own.key', `SELECT label_key FROM ${needed}`)} AND ${condition}
    LIMIT 1))`;

/**
 * Whether such a mute of the scope `s`, which has no rule, matches the finding `f`.
 * @param needed the name of the CTE.
 */
export const isMutedByLabel = (needed: string) => hasLabel(needed, isLabelNeeded(needed, 'NULL'));

/** The same of the scope of a rule, whose mutes can name a project as well. */
export const isMutedInRule = (needed: string) => `(
  s.in_projects AND ${isNeeded(needed, 'f.project_id::text', 'NULL', 'NULL')}
  OR ${hasLabel(
    needed,
    `(${isLabelNeeded(needed, 'NULL')} OR s.in_projects AND ${isLabelNeeded(needed, 'f.project_id::text')})`,
  )})`;
