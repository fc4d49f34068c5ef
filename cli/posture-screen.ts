import { styleText } from 'node:util';
import { percentText } from '@cspm/scanner';
import type { Cspm } from '@cspm/sdk';
import { SEVERITIES, type Severity } from './severity.ts';
import { COLOURS, printable } from './table.ts';

type Summary = Awaited<ReturnType<Cspm['posture']['summary']>>;
type Trend = Awaited<ReturnType<Cspm['posture']['trend']>>;
type Point = Trend['points'][number];

const BARS = '▁▂▃▄▅▆▇█';
/** Columns of a line of bars, so that a screen of 80 holds it. */
const MAX_BARS = 60;
const MAX_PROJECTS = 8;

/**
 * Score, open findings by severity, coverage and trend on one screen.
 * @param summary null for a single project, whose present values are the last of its trend
 */
export function postureLines(summary: Summary | null, trend: Trend, colours: boolean): string {
  const last = summary ?? trend.points.at(-1);
  const of = trend.project === null ? 'all projects' : printable(trend.project);
  if (last === undefined || trend.points.length === 0) {
    return `No scan of ${of} has completed in this time.\n`;
  }
  const lines = [`Posture of ${of}`, '', `Score     ${scoreText(last, summary)}`];
  lines.push(
    `Coverage  ${coverageText(last.coverage.percent)}`,
    '',
    ...openLines(last, summary, colours),
  );
  lines.push('', ...trendLines(trend));
  if (summary !== null && summary.projects.length > 1) lines.push('', ...projectLines(summary));
  return `${lines.join('\n')}\n`;
}

function scoreText({ score }: Pick<Point, 'score'>, summary: Summary | null): string {
  if (score === null) return 'none: no verdict is PASS or FAIL';
  const changes = [
    ['7 days', summary?.change7Days?.score ?? null],
    ['30 days', summary?.change30Days?.score ?? null],
  ] as const;
  const said = changes.flatMap(([span, change]) =>
    change === null ? [] : [`${signed(Number(change.toFixed(1)))} in ${span}`],
  );
  return `${percentText(score)}${said.length === 0 ? '' : `  (${said.join(', ')})`}`;
}

function coverageText(percent: number | null): string {
  return percent === null
    ? 'none: there are no verdicts'
    : `${percentText(percent)} % of the verdicts are decided`;
}

function openLines(last: Pick<Point, 'open'>, summary: Summary | null, colours: boolean): string[] {
  return SEVERITIES.map((severity) => {
    const change = summary?.change7Days?.open[severity];
    const note = change === undefined ? '' : `  ${signed(change)} in 7 days`;
    return `${label(severity, colours)}  ${String(last.open[severity]).padStart(7)}${note}`;
  });
}

function label(severity: Severity, colours: boolean): string {
  const text = severity.toUpperCase().padEnd(8);
  return colours ? styleText(COLOURS[severity], text, { validateStream: false }) : text;
}

function trendLines({ points, interval }: Trend): string[] {
  const shown = points.slice(-MAX_BARS);
  const [first, last] = [shown[0], shown.at(-1)];
  const total = (member: 'opened' | 'resolved') =>
    shown.reduce((sum, point) => sum + point[member], 0);
  return [
    `Trend by ${interval}, ${first?.date} to ${last?.date}: ${total('opened')} opened, ${total('resolved')} resolved`,
    `Score     ${bars(
      shown.map(({ score }) => score),
      0,
      100,
    )}`,
    `Open      ${bars(shown.map(openIn), 0, Math.max(1, ...shown.map(openIn)))}`,
  ];
}

function openIn({ open }: Point): number {
  return SEVERITIES.reduce((sum, severity) => sum + open[severity], 0);
}

/** A bar for each value, and a blank for null. */
function bars(values: readonly (number | null)[], least: number, most: number): string {
  return values
    .map((value) => {
      if (value === null) return ' ';
      const step = Math.floor(((value - least) / (most - least)) * BARS.length);
      return BARS[Math.min(BARS.length - 1, Math.max(0, step))];
    })
    .join('');
}

function projectLines({ projects, projectCount }: Summary): string[] {
  const shown = projects.slice(0, MAX_PROJECTS);
  const width = Math.max(...shown.map(({ project }) => project.length));
  const rows = shown.map(
    ({ project, score, open }) =>
      `${printable(project).padEnd(width)}  ${(score === null ? '-' : percentText(score)).padStart(5)}  ${open.critical} critical, ${open.high} high`,
  );
  const more = projectCount - shown.length;
  return ['Projects', ...rows, ...(more > 0 ? [`and ${more} more`] : [])];
}

function signed(change: number): string {
  return change > 0 ? `+${change}` : String(change);
}
