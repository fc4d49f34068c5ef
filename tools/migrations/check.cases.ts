import type { RuleId } from './rules.ts';

/**
 * For each rule, a migration that it refuses, and the most similar one that passes. The released tables are in
 * check.test.ts.
 */
export interface Case {
  readonly rule: RuleId;
  readonly refused: string;
  readonly passes: string;
}

const of = (rule: RuleId, refused: string, passes: string): Case => ({ rule, refused, passes });
const NEW_TABLE = 'CREATE TABLE fresh (id uuid PRIMARY KEY, name text NOT NULL);';

export const CASES: readonly Case[] = [
  of('table-dropped', 'DROP TABLE projects', `${NEW_TABLE} DROP TABLE fresh`),
  of(
    'table-dropped',
    'CREATE TABLE IF NOT EXISTS projects (id uuid); DROP TABLE projects',
    '-- contract: v0.2.0: nobody has projects any more\nDROP TABLE projects',
  ),
  of(
    'table-dropped',
    'DROP TABLE identity.users',
    'CREATE TABLE other.users (); DROP TABLE other.users',
  ),
  of(
    'column-dropped',
    'ALTER TABLE projects DROP COLUMN name',
    'ALTER TABLE projects ADD COLUMN label text; ALTER TABLE projects DROP COLUMN label',
  ),
  of('type-dropped', 'DROP TYPE mood', "CREATE TYPE fresh AS ENUM ('a'); DROP TYPE fresh"),
  of(
    'function-dropped',
    'DROP FUNCTION jobs.enqueue(text, json)',
    'CREATE FUNCTION jobs.enqueue(text, json, text) RETURNS void LANGUAGE sql AS $$ $$',
  ),
  of(
    'function-dropped',
    'CREATE OR REPLACE FUNCTION jobs.enqueue(text, json) RETURNS void LANGUAGE sql AS $$ $$; DROP FUNCTION jobs.enqueue(text, json)',
    'CREATE FUNCTION jobs.f(a int, OUT b int) LANGUAGE sql AS $$ SELECT 1 $$; DROP FUNCTION jobs.f(int)',
  ),
  of('view-dropped', 'DROP VIEW seen', 'CREATE VIEW fresh AS SELECT 1; DROP VIEW fresh'),
  of('schema-dropped', 'DROP SCHEMA jobs', 'CREATE SCHEMA fresh; DROP SCHEMA fresh'),
  of('object-dropped', 'DROP EXTENSION pgcrypto', 'CREATE SEQUENCE fresh; DROP SEQUENCE fresh'),
  of(
    'object-dropped',
    'DROP TRIGGER t ON projects',
    'CREATE TRIGGER t BEFORE INSERT ON projects FOR EACH ROW EXECUTE FUNCTION f(); DROP TRIGGER t ON projects',
  ),
  of(
    'index-dropped',
    'DROP INDEX CONCURRENTLY IF EXISTS projects_name_idx',
    '-- contract: v0.1.0: projects_names_idx has been in its place since\nDROP INDEX CONCURRENTLY IF EXISTS projects_name_idx',
  ),
  of(
    'constraint-dropped',
    'ALTER TABLE projects DROP CONSTRAINT projects_name_key',
    'ALTER TABLE projects ADD CONSTRAINT c CHECK (name > 0) NOT VALID; ALTER TABLE projects DROP CONSTRAINT c',
  ),
  of(
    'policy-dropped',
    'DROP POLICY tenant_isolation ON projects',
    'CREATE POLICY p ON projects USING (true); DROP POLICY p ON projects',
  ),
  of(
    'enum-value-gone',
    "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'",
    "ALTER TYPE mood ADD VALUE 'blue'",
  ),
  of(
    'renamed',
    'ALTER TABLE projects RENAME COLUMN name TO title',
    `${NEW_TABLE} ALTER TABLE fresh RENAME COLUMN name TO title`,
  ),
  of('renamed', 'ALTER TABLE projects RENAME TO shops', 'ALTER TABLE projects ADD title text'),
  of('renamed', 'ALTER FUNCTION jobs.enqueue(text, json) RENAME TO add', NEW_TABLE),
  of(
    'renamed',
    'ALTER TABLE projects SET SCHEMA identity',
    `${NEW_TABLE} ALTER TABLE fresh SET SCHEMA jobs`,
  ),
  of(
    'type-narrowed',
    'ALTER TABLE projects ALTER COLUMN name TYPE varchar(10)',
    'ALTER TABLE projects ALTER COLUMN name TYPE varchar(200)',
  ),
  of(
    'type-narrowed',
    'ALTER TABLE projects ALTER COLUMN made_at TYPE timestamptz(0)',
    'ALTER TABLE projects ALTER COLUMN made_at TYPE timestamptz',
  ),
  of(
    'type-narrowed',
    'ALTER TABLE projects ALTER COLUMN name TYPE text USING lower(name)',
    'ALTER TABLE projects ALTER COLUMN name TYPE text',
  ),
  of(
    'table-rewritten',
    'ALTER TABLE projects ALTER COLUMN size TYPE bigint',
    `${NEW_TABLE} ALTER TABLE fresh ALTER COLUMN name TYPE bigint`,
  ),
  of(
    'not-null-without-default',
    'ALTER TABLE projects ADD COLUMN label text NOT NULL',
    "ALTER TABLE projects ADD COLUMN label text NOT NULL DEFAULT ''",
  ),
  of(
    'not-null-without-default',
    'ALTER TABLE projects ADD COLUMN label text NOT NULL DEFAULT NULL::text',
    'ALTER TABLE projects ADD COLUMN label text DEFAULT NULL',
  ),
  of(
    'not-null-set',
    'ALTER TABLE projects ALTER COLUMN size SET NOT NULL',
    `${NEW_TABLE} ALTER TABLE fresh ALTER COLUMN id SET NOT NULL`,
  ),
  of(
    'not-null-set',
    'ALTER TABLE projects ADD COLUMN label text; ALTER TABLE projects ALTER COLUMN label SET NOT NULL',
    'ALTER TABLE projects ALTER COLUMN size DROP NOT NULL',
  ),
  of(
    'default-dropped',
    "ALTER TABLE projects ADD label text NOT NULL DEFAULT ''; ALTER TABLE projects ALTER label DROP DEFAULT",
    "ALTER TABLE projects ADD label text; ALTER TABLE projects ALTER label SET DEFAULT ''",
  ),
  of(
    'unique-added',
    'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS one_size ON projects (size)',
    '-- contract: v0.2.0: writes each size once\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS one_size ON projects (size)',
  ),
  of(
    'unique-added',
    'ALTER TABLE projects ADD CONSTRAINT one UNIQUE USING INDEX one_size',
    'ALTER TABLE projects ADD COLUMN label text; CREATE UNIQUE INDEX one ON ONLY projects (label)',
  ),
  of(
    'unique-added',
    'ALTER TABLE projects ADD COLUMN label text UNIQUE',
    'CREATE TABLE fresh (label text UNIQUE)',
  ),
  of(
    'check-added',
    'ALTER TABLE projects ADD CONSTRAINT small CHECK (size < 9)',
    'ALTER TABLE projects ADD CONSTRAINT small CHECK (size < 9) NOT VALID',
  ),
  of(
    'check-added',
    'ALTER TABLE projects ADD COLUMN label text CHECK (label <> $$$$)',
    "CREATE TABLE fresh (label text CHECK (label <> ''))",
  ),
  of(
    'foreign-key-added',
    'ALTER TABLE projects ADD CONSTRAINT f FOREIGN KEY (owner) REFERENCES identity.users ON DELETE SET NULL',
    'ALTER TABLE projects ADD CONSTRAINT f FOREIGN KEY (owner) REFERENCES identity.users ON DELETE SET NULL NOT VALID',
  ),
  of(
    'foreign-key-holds-rows',
    'CREATE TABLE fresh (project uuid REFERENCES projects)',
    'CREATE TABLE fresh (project uuid REFERENCES projects ON DELETE CASCADE)',
  ),
  of(
    'foreign-key-holds-rows',
    `${NEW_TABLE} ALTER TABLE fresh ADD FOREIGN KEY (id) REFERENCES projects ON DELETE RESTRICT`,
    `${NEW_TABLE} CREATE TABLE other (id uuid REFERENCES fresh)`,
  ),
  of(
    'validated-under-lock',
    'ALTER TABLE projects ADD CONSTRAINT c CHECK (size < 9) NOT VALID; ALTER TABLE projects VALIDATE CONSTRAINT c',
    'ALTER TABLE projects VALIDATE CONSTRAINT c',
  ),
  of(
    'table-rewritten',
    'ALTER TABLE projects ADD COLUMN token uuid NOT NULL DEFAULT gen_random_uuid()',
    'ALTER TABLE projects ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now()',
  ),
  of(
    'table-rewritten',
    'ALTER TABLE projects ADD COLUMN number bigserial',
    "ALTER TABLE projects ADD COLUMN tags text[] NOT NULL DEFAULT ARRAY['a']::text[]",
  ),
  of(
    'table-rewritten',
    'ALTER TABLE projects ADD COLUMN number int GENERATED ALWAYS AS IDENTITY',
    'CREATE TABLE fresh (number int GENERATED ALWAYS AS IDENTITY)',
  ),
  of(
    'index-in-transaction',
    'CREATE INDEX i ON projects (size)',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON projects (size)',
  ),
  of(
    'index-in-transaction',
    'CREATE INDEX i ON projects (size)',
    `${NEW_TABLE} CREATE INDEX i ON fresh (name)`,
  ),
  of(
    'index-in-transaction',
    '-- contract: v0.1.0: is not read by\nDROP INDEX projects_name_idx',
    'CREATE INDEX i ON ONLY projects (size)',
  ),
  of(
    'concurrently-with-others',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON projects (size); CREATE INDEX CONCURRENTLY IF NOT EXISTS j ON projects (owner)',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON projects (size);',
  ),
  of(
    'not-repeatable',
    'CREATE INDEX CONCURRENTLY i ON projects (size)',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON projects (size)',
  ),
  of(
    'not-repeatable',
    '-- contract: v0.2.0: does not read by it\nDROP INDEX CONCURRENTLY projects_name_idx',
    '-- contract: v0.2.0: does not read by it\nDROP INDEX CONCURRENTLY IF EXISTS projects_name_idx',
  ),
  of('table-locked', 'LOCK TABLE projects', 'SET LOCAL lock_timeout = 100'),
  of(
    'table-locked',
    "CREATE TABLE p PARTITION OF projects FOR VALUES IN ('a')",
    "CREATE TABLE fresh (a text) PARTITION BY LIST (a); CREATE TABLE p PARTITION OF fresh FOR VALUES IN ('a')",
  ),
  of(
    'rows-rewritten',
    "UPDATE projects SET name = ''",
    "UPDATE projects SET name = '' WHERE id IN (SELECT id FROM projects WHERE size = 0 LIMIT 1000)",
  ),
  of(
    'rows-rewritten',
    "UPDATE projects SET name = '' WHERE size > 1",
    `${NEW_TABLE} UPDATE fresh SET name = ''`,
  ),
  of(
    'rows-rewritten',
    'DELETE FROM projects WHERE id IN (SELECT id FROM projects LIMIT 1000000)',
    'DELETE FROM projects WHERE id IN (SELECT id FROM projects LIMIT 10)',
  ),
  of(
    'rows-rewritten',
    `${NEW_TABLE} INSERT INTO fresh SELECT id, name FROM projects`,
    `${NEW_TABLE} INSERT INTO fresh VALUES ('4d2c0a0e-7f4c-4b8f-9f0e-1a2b3c4d5e6f', 'x')`,
  ),
  of('rows-gone', 'TRUNCATE projects', `${NEW_TABLE} TRUNCATE fresh`),
  of('rights-taken', 'REVOKE SELECT ON projects FROM app', 'GRANT SELECT ON projects TO app'),
  of(
    'rights-taken',
    'REVOKE ALL ON FUNCTION jobs.enqueue(text, json) FROM PUBLIC',
    'CREATE FUNCTION jobs.f(int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$; REVOKE ALL ON FUNCTION jobs.f(int) FROM PUBLIC',
  ),
  of(
    'rows-hidden',
    'CREATE POLICY p ON projects AS RESTRICTIVE USING (size > 1)',
    'CREATE POLICY p ON projects USING (size > 1)',
  ),
  of(
    'rows-hidden',
    'ALTER TABLE identity.users ENABLE ROW LEVEL SECURITY',
    `${NEW_TABLE} ALTER TABLE fresh ENABLE ROW LEVEL SECURITY; ALTER TABLE fresh FORCE ROW LEVEL SECURITY;
     CREATE POLICY tenant_isolation ON fresh USING (true); ALTER POLICY tenant_isolation ON fresh USING (false)`,
  ),
  of('rows-hidden', 'ALTER POLICY tenant_isolation ON projects USING (false)', NEW_TABLE),
  of(
    'partition-detached',
    'ALTER TABLE projects DETACH PARTITION old',
    'ALTER TABLE projects SET (fillfactor = 80)',
  ),
  of('transaction', 'BEGIN; SET LOCAL lock_timeout = 1; COMMIT', 'SET LOCAL lock_timeout = 1'),
  of(
    'opaque',
    "DO $$ BEGIN EXECUTE 'DROP TABLE projects'; END $$",
    'SELECT partitions.ensure(now(), 4)',
  ),
  of('opaque', 'SELECT jobs.fill_everything()', "COMMENT ON TABLE projects IS 'x'"),
  of(
    'unknown',
    'ALTER TABLE projects OWNER TO other',
    'ALTER TABLE projects ALTER size SET STATISTICS 9',
  ),
  of('unknown', 'SET lock_timeout = 1', 'SET LOCAL lock_timeout = 1'),
  of(
    'contract-too-early',
    '-- contract: v9.0.0: will be gone\nDROP TABLE projects',
    '-- contract: v0.2.0: is gone\nDROP TABLE projects',
  ),
  of(
    'contract-for-nothing',
    `-- contract: v0.2.0: is gone\n${NEW_TABLE}`,
    `${NEW_TABLE}\n-- contract: v0.2.0: is gone\nDROP TABLE projects`,
  ),
];
