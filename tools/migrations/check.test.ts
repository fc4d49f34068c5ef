import { describe, expect, test } from 'vitest';
import { CASES } from './check.cases.ts';
import { type Refusal, refusalsOf, UnreadableMigration } from './check.ts';
import { RULES } from './rules.ts';

/** The tables of the running version. */
const RELEASED = {
  name: '1_released',
  sql: `
    CREATE TYPE mood AS ENUM ('sad', 'glad');
    CREATE TABLE identity.users (id uuid PRIMARY KEY);
    CREATE TABLE projects (
      id uuid PRIMARY KEY, name varchar(100) UNIQUE, size int, owner uuid, made_at timestamptz(3)
    );
    CREATE FUNCTION jobs.enqueue(text, json) RETURNS void LANGUAGE sql AS $$ $$;`,
};

async function refused(sql: string, ...before: string[]): Promise<Refusal[]> {
  const added = [...before, sql].map((text, at) => ({ name: `${at + 2}_added`, sql: text }));
  return refusalsOf([RELEASED], added, (release) => ['v0.1.0', 'v0.2.0'].includes(release));
}

/** The command reports these, because it compares files: command.test.ts. */
const OF_FILES = ['released-changed', 'released-removed', 'out-of-order'];

describe('a migration', () => {
  test.each(CASES)('the migration rule $rule refuses $refused', async ({ rule, refused: sql }) => {
    const rules = new Set((await refused(sql)).map((refusal) => refusal.rule));
    expect([...rules]).toEqual([rule]);
  });

  test.each(CASES)('the migration rule $rule accepts $passes', async ({ passes }) => {
    expect(await refused(passes)).toEqual([]);
  });

  test('every migration rule has a case that it refuses', () => {
    const tried = new Set<string>([...CASES.map(({ rule }) => rule), ...OF_FILES]);
    expect(Object.keys(RULES).filter((rule) => !tried.has(rule))).toEqual([]);
  });

  test('a migration may change what another one of the same release has created', async () => {
    const made = 'CREATE TABLE fresh (id uuid)';
    expect(await refused('DROP TABLE fresh')).toHaveLength(1);
    expect(await refused('DROP TABLE fresh', made)).toEqual([]);
  });

  test('a refused migration is reported with the line and text of the statement, after any preceding text', async () => {
    const sql =
      '-- Größe\nCREATE TABLE fresh (id uuid);\n\n-- weg damit\nDROP TABLE\n  projects;\n';
    expect(await refused(sql)).toEqual([
      { migration: '2_added', line: 5, statement: 'DROP TABLE projects', rule: 'table-dropped' },
    ]);
  });

  test('a migration is refused for each of its effects, and for its lock even with a contract line', async () => {
    const rules = async (sql: string) => (await refused(sql)).map(({ rule }) => rule);
    const both = 'ALTER TABLE projects DROP COLUMN size, ADD COLUMN size text NOT NULL';
    expect(await rules(both)).toEqual(['column-dropped', 'not-null-without-default']);
    const unique = 'CREATE UNIQUE INDEX i ON projects (size)';
    expect(await rules(unique)).toEqual(['unique-added', 'index-in-transaction']);
    expect(await rules(`-- contract: v0.1.0: writes it once\n${unique}`)).toEqual([
      'index-in-transaction',
    ]);
  });

  test('a contract line with a reason allows only the statement after it', async () => {
    const rules = async (sql: string) => (await refused(sql)).map(({ rule }) => rule);
    expect(await rules('-- contract: v0.2.0\nDROP TABLE projects')).toEqual(['table-dropped']);
    expect(
      await rules('-- contract: v0.2.0: is gone\nDROP TABLE projects; DROP TABLE identity.users'),
    ).toEqual(['table-dropped']);
  });

  test('a migration that is not SQL is reported with its place', async () => {
    const failure = await refused('CREATE TABLE a ();\nDROP TABEL b').catch((error) => error);
    expect(failure).toBeInstanceOf(UnreadableMigration);
    expect(failure.message).toBe('2_added:2: syntax error at or near "TABEL"');
  });
});
