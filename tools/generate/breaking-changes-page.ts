import { LEVEL_TITLES, RULES } from '../breaking/rules.ts';

/** The page that documents the rules of `npm run check:breaking`. */
export function breakingChangesPage(): string {
  const parts = (['breaking', 'warning', 'info'] as const).map((level) => {
    const rules = Object.entries(RULES).filter(([, rule]) => rule.level === level);
    const rows = rules.map(([id, { meaning }]) => `| \`${id}\` | ${meaning} |`);
    return [`## ${LEVEL_TITLES[level]}`, '', '| rule | meaning |', '|---|---|', ...rows, ''].join(
      '\n',
    );
  });
  return `${HEAD}\n\n${parts.join('\n')}`;
}

const HEAD = `
<!-- Generated from tools/breaking/rules.ts by \`npm run generate\`. Do not edit. -->

# What counts as a breaking change

\`npm run check:breaking -- <base openapi.json>\` compares the given document with the current one, including shapes and
policies, and fails if a change breaks existing callers. Each change is reported with its operation, its location and the id
of its rule. Requests may accept more but not less. Responses may return less but not more, except for additional members,
which readers ignore. Descriptions and examples are not compared.
`.trim();
