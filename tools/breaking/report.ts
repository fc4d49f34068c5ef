import { breaks, type Change } from './change.ts';
import { LEVEL_TITLES, RULES } from './rules.ts';

const HEADINGS = { ...LEVEL_TITLES, correction: 'Corrections of the document' } as const;

function kindOf(change: Change): keyof typeof HEADINGS {
  return change.corrects === undefined ? change.level : 'correction';
}

/** For people: the most severe first, by operation. */
export function textReport(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No change that callers would notice.';
  const parts = (['breaking', 'correction', 'warning', 'info'] as const).flatMap((kind) => {
    const some = changes.filter((change) => kindOf(change) === kind);
    return some.length === 0 ? [] : [`${HEADINGS[kind]} (${some.length})`, ...linesOf(some), ''];
  });
  const breaking = changes.filter(breaks).length;
  const verdict =
    breaking === 0
      ? 'No breaking change.'
      : `${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}. docs/breaking-changes.md explains each rule.`;
  return [...parts, verdict].join('\n');
}

function linesOf(changes: readonly Change[]): string[] {
  const operations = [...new Set(changes.map(({ operation }) => operation))];
  return operations.flatMap((operation) => [
    `  ${operation === '*' ? 'the API as a whole' : operation}`,
    ...changes
      .filter((change) => change.operation === operation)
      .map(({ rule, place, message }) => `    ${place && `${place}: `}${message} [${rule}]`),
    ...reasonsOf(changes, operation),
  ]);
}

function reasonsOf(changes: readonly Change[], operation: string): string[] {
  const own = changes.filter((change) => change.operation === operation);
  return [...new Set(own.flatMap(({ corrects }) => corrects ?? []))].map(
    (reason) => `    Not breaking: ${reason}`,
  );
}

/** For programs. `breaks` says whether existing callers fail or are misled. */
export function jsonReport(changes: readonly Change[]): string {
  const count = (kind: keyof typeof HEADINGS) =>
    changes.filter((change) => kindOf(change) === kind).length;
  const report = {
    breaking: count('breaking'),
    corrections: count('correction'),
    warnings: count('warning'),
    infos: count('info'),
    changes: changes.map((change) => ({
      ...change,
      breaks: breaks(change),
      meaning: RULES[change.rule].meaning,
    })),
  };
  return JSON.stringify(report, null, 2);
}
