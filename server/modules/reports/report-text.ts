import {
  type AssessedRequirement,
  type Framework,
  percentText,
  type RequirementStatus,
} from '@cspm/scanner';
import { visible } from '../../platform/visible-text.ts';
import type { Report, ReportedFinding, ReportedRule } from './report.ts';

/** Each evidence value is shown up to this length. */
const VALUE_LENGTH = 200;
const MAX_VALUES = 5;

/** Text of at most so many characters, whose end says that something is missing. */
export function shortened(text: string, most: number): string {
  // One character has at most two code units, so the rest need not be split.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** `2026-11-20 08:00 UTC` */
export function timeOf(rfc3339: string): string {
  return `${rfc3339.slice(0, 10)} ${rfc3339.slice(11, 16)} UTC`;
}

export function numberOf(value: number): string {
  return value.toLocaleString('en-US');
}

export function scoreText(score: number | null): string {
  return score === null ? 'none' : percentText(score);
}

export function frameworkTitle(framework: Framework): string {
  return `CIS Google Cloud benchmark ${framework.replace('cis-gcp-', '')}`;
}

/** The statuses of requirements, in the order in which a report counts them. */
export const STATUS_LABELS: Readonly<Record<RequirementStatus, string>> = {
  pass: 'Passed',
  fail: 'Failed',
  unknown: 'Undecided',
  na: 'Not applicable',
  manual: 'Manual',
};

export const STATUSES = ['pass', 'fail', 'unknown', 'na', 'manual'] as const;

/** Verdicts of all rules that decide a requirement: the evidence for its status. */
export function evidenceOf({ rules }: AssessedRequirement<ReportedRule>) {
  const sum = (of: 'pass' | 'fail' | 'na' | 'unknown') =>
    rules.reduce((total, rule) => total + rule[of], 0);
  return {
    pass: sum('pass'),
    fail: sum('fail'),
    na: sum('na'),
    unknown: sum('unknown'),
    missing: [...new Set(rules.flatMap(({ missing }) => missing))],
  };
}

/** `path = value` of the first values that decided a verdict. */
export function valuesOf({ evidence }: ReportedFinding): string[] {
  const shown = evidence
    .slice(0, MAX_VALUES)
    .map(({ path, value }) =>
      visible(shortened(`${path} = ${JSON.stringify(value)}`, VALUE_LENGTH)),
    );
  const others = evidence.length - shown.length;
  return others > 0 ? [...shown, `and ${others} more`] : shown;
}

/** How many there are, and what a list leaves out. */
export function listNote(shown: number, total: number | null): string {
  if (total === null) {
    return 'Not available. The findings of this scan were deleted after the retention period, or with their project.';
  }
  if (total === 0) return 'None.';
  if (shown >= total) return `${numberOf(total)} in all, most severe first.`;
  return `The ${numberOf(shown)} most severe of ${numberOf(total)}. The export of findings has all of them.`;
}

/** The label and the value of each fact on the cover. */
export function coverFacts({ tenant, scan, compliance, madeAt }: Report): [string, string][] {
  const { totals } = scan;
  return [
    ['Tenant', visible(tenant)],
    ['Scan', `${scan.id}${scan.status === 'partial' ? ' (partial: some projects failed)' : ''}`],
    ['Profile', visible(scan.profile)],
    ['Framework', frameworkTitle(compliance.framework)],
    ['Scanned', timeOf(scan.finishedAt ?? scan.createdAt)],
    ['Report made', timeOf(madeAt)],
    ['Assets', numberOf(totals.assets)],
    [
      'Verdicts',
      `${numberOf(totals.pass)} passed, ${numberOf(totals.fail)} failed, ${numberOf(totals.unknown)} undecided`,
    ],
  ];
}
