import { type Level, RULES } from '../breaking/rules.ts';

const TITLES: Readonly<Record<Level, string>> = {
  breaking: 'What breaks callers',
  warning: 'What may break callers',
  info: 'What breaks nobody',
};

/** The page of the rules by which `npm run check:breaking` judges changes. */
export function breakingChangesPage(): string {
  const parts = (['breaking', 'warning', 'info'] as const).map((level) => {
    const rules = Object.entries(RULES).filter(([, rule]) => rule.level === level);
    const rows = rules.map(([id, { meaning }]) => `| \`${id}\` | ${meaning} |`);
    return [`## ${TITLES[level]}`, '', '| rule | meaning |', '|---|---|', ...rows, ''].join('\n');
  });
  return `${HEAD}\n\n${parts.join('\n')}`;
}

const HEAD = `
<!-- Generated from scripts/breaking/rules.ts by \`npm run generate\`. Do not edit. -->

# What counts as a breaking change

\`npm run check:breaking -- <base openapi.json>\` compares a document with the present one, shape and policy, and fails where
a change breaks callers of before. Each change is told with its operation, its place and the id of its rule. What may be sent
may grow and not shrink; what is answered may shrink and not grow, but for members, which readers ignore where they do not
know them. Words and examples are no changes.
`.trim();
