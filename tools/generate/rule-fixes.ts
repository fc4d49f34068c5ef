import { RULES } from '../../scanner/rules/catalogue.ts';

const HEADING = '\n## Rules\n';

/** docs/fixes.md with the table of all rules, which is its last section. */
export function withRuleFixes(page: string): string {
  const [before, after] = page.split(HEADING);
  if (before === undefined || after === undefined) {
    throw new Error('docs/fixes.md must end with a section that has the heading "## Rules"');
  }
  const rows = RULES.map(
    ({ id, noFix }) => `| \`${id}\` | ${noFix === undefined ? 'yes' : `no: ${noFix}`} |`,
  );
  const table = ['| rule | fix |', '|---|---|', ...rows].join('\n');
  return `${before}${HEADING}\n${GENERATED}\n\n${table}\n`;
}

const GENERATED = '<!-- Generated from scanner/rules by `npm run generate`. Do not edit. -->';
