import { expect, test } from 'vitest';
import { onlyIndex } from './index-migration.ts';

test.each([
  ['CREATE INDEX CONCURRENTLY IF NOT EXISTS shops_idx ON shops (name);', 'public.shops_idx'],
  [
    '-- Sessions of a person.\n\n-- CreateIndex\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "s_idx"\n  ON "identity"."sessions"("user_id");\n',
    'identity."s_idx"',
  ],
  ['drop index concurrently if exists identity.s_idx', 'identity.s_idx'],
  ['DROP INDEX CONCURRENTLY IF EXISTS "S idx";', 'public."S idx"'],
])('the statement %j is recognized as a migration of one index', (sql, name) => {
  expect(onlyIndex(sql)?.replaceAll('"identity"', 'identity')).toBe(name);
});

test.each([
  '',
  'CREATE INDEX shops_idx ON shops (name)',
  '-- CREATE INDEX CONCURRENTLY IF NOT EXISTS shops_idx ON shops (name)\nDROP TABLE shops',
  'CREATE TABLE a (); CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON a (b)',
  'DROP INDEX CONCURRENTLY IF EXISTS a; DROP TABLE b',
])('the statement %j is recognized as an ordinary migration', (sql) => {
  expect(onlyIndex(sql)).toBeNull();
});
