import type { Change } from './change.ts';
import { type Level, RULES } from './rules.ts';

const HEADINGS: Readonly<Record<Level, string>> = {
  breaking: 'Breaks callers',
  warning: 'May break callers',
  info: 'Breaks nobody',
};

/** For people: the most severe first, by operation. */
export function textReport(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No change that callers would notice.';
  const parts = (['breaking', 'warning', 'info'] as const).flatMap((level) => {
    const some = changes.filter((change) => change.level === level);
    return some.length === 0 ? [] : [`${HEADINGS[level]} (${some.length})`, ...linesOf(some), ''];
  });
  const breaking = changes.filter(({ level }) => level === 'breaking').length;
  const verdict =
    breaking === 0
      ? 'No breaking change.'
      : `${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}: what each means stands in docs/breaking-changes.md.`;
  return [...parts, verdict].join('\n');
}

function linesOf(changes: readonly Change[]): string[] {
  const operations = [...new Set(changes.map(({ operation }) => operation))];
  return operations.flatMap((operation) => [
    `  ${operation === '*' ? 'the API as a whole' : operation}`,
    ...changes
      .filter((change) => change.operation === operation)
      .map(({ rule, place, message }) => `    ${place && `${place}: `}${message} [${rule}]`),
  ]);
}

/** For programs. `breaks` says whether existing callers fail or are misled. */
export function jsonReport(changes: readonly Change[]): string {
  const count = (level: Level) => changes.filter((change) => change.level === level).length;
  const report = {
    breaking: count('breaking'),
    warnings: count('warning'),
    infos: count('info'),
    changes: changes.map((change) => ({
      ...change,
      breaks: change.level === 'breaking',
      meaning: RULES[change.rule].meaning,
    })),
  };
  return JSON.stringify(report, null, 2);
}
