import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RULES } from '../rules/catalogue.ts';

it('docs/fixes.md lists every rule with its fix or the reason why it has none', () => {
  const page = readFileSync(new URL('../../docs/fixes.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('\n## Rules\n');
  const expected = RULES.map(
    ({ id, noFix }) => `| \`${id}\` | ${noFix === undefined ? 'yes' : `no: ${noFix}`} |`,
  );
  expect(
    table.split('\n').filter((line) => line.startsWith('| `')),
    'Run npm run generate',
  ).toEqual(expected);
});
