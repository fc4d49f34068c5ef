import type { ReportedDay } from './report.ts';

export interface Line {
  readonly label: string;
  readonly colour: string;
  /** From the left and from the top, in units of the chart's size. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Chart {
  readonly title: string;
  /** The value at the top; 0 is at the bottom. */
  readonly top: number;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly Line[];
}

export const SEVERITY_COLOURS = {
  critical: '#8e1b6b',
  high: '#c0281c',
  medium: '#a05a00',
  low: '#1f6f8b',
  info: '#5b6470',
} as const;

/** The charts of a trend; none when no day or only one is known. */
export function chartsOf(days: readonly ReportedDay[]): Chart[] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || days.length < 2) return [];
  const range = { from: first.date, to: last.date };
  const worst = (['critical', 'high', 'medium'] as const).map((severity) => ({
    label: severity,
    colour: SEVERITY_COLOURS[severity],
    values: days.map(({ open }) => open[severity]),
  }));
  const top = Math.max(1, ...worst.flatMap(({ values }) => values));
  const scores = days.map(({ score }) => score);
  return [
    {
      title: 'Score',
      top: 100,
      ...range,
      lines: [{ label: 'score', colour: '#1d4ed8', points: pointsOf(scores, 100) }],
    },
    {
      title: 'Open findings',
      top,
      ...range,
      lines: worst.map(({ values, ...line }) => ({ ...line, points: pointsOf(values, top) })),
    },
  ];
}

/** Days without a value have no point. */
function pointsOf(values: readonly (number | null)[], top: number): [number, number][] {
  const step = 1 / (values.length - 1);
  return values.flatMap((value, at): [number, number][] =>
    value === null ? [] : [[at * step, 1 - value / top]],
  );
}
