import type { ExportedFinding, SkippedResource } from '@cspm/scanner';
import { printable } from './table.ts';

/** The number of verdicts of one rule. */
export interface RuleCounts {
  readonly ruleId: string;
  pass: number;
  fail: number;
  unknown: number;
  na: number;
}

/** Assets that no rule of the scan evaluated. */
export interface UnusedType {
  readonly type: string;
  count: number;
  /** `no_rule`: no built-in rule evaluates the type. `not_in_profile`: the profile does not contain the rules that do. */
  readonly reason: 'no_rule' | 'not_in_profile';
}

/** The result of a local scan without its findings. */
export interface LocalSummary {
  readonly file: string;
  readonly profile: string;
  readonly assets: number;
  readonly totals: Readonly<Omit<RuleCounts, 'ruleId'>>;
  /** One entry per rule of the scan, sorted by id. */
  readonly rules: readonly RuleCounts[];
  /** Resources of a Terraform plan or state that have no asset mapping. */
  readonly skipped: readonly SkippedResource[];
  /** Assets of types that no rule of the scan evaluates. */
  readonly notEvaluated: readonly UnusedType[];
}

/** Writes one JSON document: the summary, with the findings as its last member. */
export async function* jsonReport(
  pages: AsyncIterable<readonly ExportedFinding[]>,
  summary: LocalSummary,
): AsyncGenerator<string> {
  let separator = '';
  yield `${JSON.stringify(summary).slice(0, -1)},"findings":[`;
  for await (const page of pages) {
    for (const finding of page) {
      yield `${separator}\n${JSON.stringify(finding)}`;
      separator = ',';
    }
  }
  yield '\n]}\n';
}

const COLUMNS = ['pass', 'fail', 'unknown', 'na'] as const;

/** A table with the verdicts of each rule. A rule without assets has zeroes. */
export function countsTable({ rules, totals }: LocalSummary): string {
  const rows = [...rules, { ruleId: 'all rules', ...totals }].map((counts) => [
    counts.ruleId,
    ...COLUMNS.map((verdict) => String(counts[verdict])),
  ]);
  const lines = [['rule', ...COLUMNS.map((verdict) => verdict.toUpperCase())], ...rows];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths?.[at] ?? 0) : cell.padStart(widths?.[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

/** The number of resources or types that are listed by name. */
const NAMED = 20;

/** Lines that list the skipped resources and assets with the reason. Empty when nothing was skipped. */
export function leftOut({
  skipped,
  notEvaluated,
}: Pick<LocalSummary, 'skipped' | 'notEvaluated'>): readonly string[] {
  const lines: string[] = [];
  if (skipped.length > 0) {
    lines.push(`Skipped ${quantity(skipped.length, 'Terraform resource')}:`);
    for (const { address, type, reason } of skipped.slice(0, NAMED)) {
      const of = address.includes(type) ? '' : ` (${printable(type)})`;
      lines.push(`  ${printable(address)}${of}: ${printable(reason)}`);
    }
    lines.push(...remainder(skipped.length));
  }
  const without = notEvaluated.filter(({ reason }) => reason === 'no_rule');
  if (without.length > 0) {
    lines.push(`No rule evaluates ${quantity(assetsOf(without), 'asset')}:`);
    for (const { type, count } of without.slice(0, NAMED)) {
      lines.push(`  ${printable(type)}: ${count}`);
    }
    lines.push(...remainder(without.length));
  }
  const outside = assetsOf(notEvaluated) - assetsOf(without);
  if (outside > 0) {
    lines.push(`The rules of this profile do not evaluate ${quantity(outside, 'other asset')}.`);
  }
  return lines;
}

function assetsOf(types: readonly UnusedType[]): number {
  return types.reduce((sum, { count }) => sum + count, 0);
}

function remainder(count: number): readonly string[] {
  return count <= NAMED ? [] : [`  and ${count - NAMED} more; --format json lists all of them`];
}

/** `1 asset`, `2 assets`. */
export function quantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
