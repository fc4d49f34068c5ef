import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FILL_IN } from './draft.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['contract', 'prisma', 'samples', 'scanner', 'google-cloud', 'server', 'tests'];

it(`no file contains ${FILL_IN}, which npm run new writes for texts to replace`, () => {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const args = [
    'grep',
    '--untracked',
    '--line-number',
    '--fixed-strings',
    FILL_IN,
    '--',
    ...FOLDERS,
  ];
  let found = '';
  try {
    found = execFileSync('git', args, options);
  } catch (error) {
    // git grep exits with 1 when it finds nothing.
    if ((error as { status?: number }).status !== 1) throw error;
  }
  expect(found.split('\n').filter(Boolean), `Replace each ${FILL_IN}, or delete its line`).toEqual(
    [],
  );
});
