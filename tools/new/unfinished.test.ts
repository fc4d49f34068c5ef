import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FILL_IN } from './draft.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROOMS = ['contract', 'prisma', 'samples', 'scanner', 'google-cloud', 'server', 'tests'];

it(`no file holds a ${FILL_IN} that npm run new left for its author`, () => {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const args = ['grep', '--untracked', '--line-number', '--fixed-strings', FILL_IN, '--', ...ROOMS];
  let found = '';
  try {
    found = execFileSync('git', args, options);
  } catch (error) {
    // git grep exits with 1 when it finds nothing.
    if ((error as { status?: number }).status !== 1) throw error;
  }
  expect(found.split('\n').filter(Boolean), 'Write what each of these lines asks for').toEqual([]);
});
