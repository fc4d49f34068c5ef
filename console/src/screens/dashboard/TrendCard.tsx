import type { PostureTrend } from '@cspm/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { calendarDay, count } from '../../lib/format.ts';
import { Card } from '../../ui/Card.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { SEVERITIES, SEVERITY_LABEL } from '../../ui/Severity.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import styles from './Dashboard.module.css';
import { percent } from './percent.ts';

interface TrendProps {
  readonly trend: UseQueryResult<PostureTrend>;
}

type View = 'open' | 'score';
type Point = PostureTrend['points'][number];

const DAY_MS = 86_400_000;
const TABS = [
  { value: 'open', label: 'Open findings' },
  { value: 'score', label: 'Score' },
] as const;

/** The posture over time as a chart; every value is also in a table. */
export function TrendCard({ trend }: TrendProps) {
  const [view, setView] = useState<View>('open');
  return (
    <Card title="Trend" subtitle="The last 90 days, in UTC" className={styles.trend}>
      <Loaded query={trend}>
        {trend.data === undefined ? (
          <Skeleton height={220} />
        ) : (
          <Tabs label="Trend of" tabs={TABS} value={view} onChange={setView}>
            <Chart trend={trend.data} view={view} />
            <TrendTable points={trend.data.points} />
          </Tabs>
        )}
      </Loaded>
    </Card>
  );
}

const total = ({ open }: Point): number => SEVERITIES.reduce((sum, level) => sum + open[level], 0);

function Chart({ trend, view }: { readonly trend: PostureTrend; readonly view: View }) {
  const { points, from, to } = trend;
  const first = Date.parse(from);
  const days = Math.max(1, Math.round((Date.parse(to) - first) / DAY_MS));
  // Each day has a column of the same width.
  const width = 100 / (days + 1);
  const xOf = ({ date: day }: Point) => ((Date.parse(day) - first) / DAY_MS) * width;
  const highest = view === 'score' ? 100 : niceCeiling(Math.max(1, ...points.map(total)));
  const last = points.at(-1);
  const lastText =
    last === undefined
      ? 'no data'
      : view === 'score'
        ? `a score of ${last.score === null ? 'none' : percent(last.score)} at the end`
        : `${count(total(last))} open findings at the end`;
  return (
    <figure className={styles.chart}>
      <div className={styles.yAxis} aria-hidden="true">
        <span>{count(highest)}</span>
        <span>{count(highest / 2)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${view === 'score' ? 'Score' : 'Open findings'} from ${calendarDay(from)} to ${calendarDay(to)}: ${lastText}`}
      >
        {[0, 50, 100].map((y) => (
          <path key={y} className={styles.gridLine} d={`M0 ${y}H100`} />
        ))}
        {view === 'score' ? (
          <path className={styles.scoreLine} d={scorePath(points, xOf, width)} />
        ) : (
          points.map((point) => (
            <Column key={point.date} point={point} x={xOf(point)} width={width} highest={highest} />
          ))
        )}
      </svg>
      <div className={styles.xAxis} aria-hidden="true">
        <span>{calendarDay(from)}</span>
        <span>{calendarDay(to)}</span>
      </div>
      {view === 'open' && (
        <figcaption className={styles.legend}>
          {SEVERITIES.map((level) => (
            <span key={level} data-level={level}>
              {SEVERITY_LABEL[level]}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

/** The open findings of a day, most severe at the bottom. */
function Column(props: {
  readonly point: Point;
  readonly x: number;
  readonly width: number;
  readonly highest: number;
}) {
  const { point, x, width, highest } = props;
  let top = 100;
  return (
    <g>
      <title>{`${calendarDay(point.date)}: ${count(total(point))} open`}</title>
      {SEVERITIES.map((level) => {
        const height = (point.open[level] / highest) * 100;
        top -= height;
        return (
          <rect
            key={level}
            className={styles.bar}
            data-level={level}
            x={x}
            y={top}
            width={width}
            height={height}
          />
        );
      })}
    </g>
  );
}

/** A step for each day, so one day alone is visible too. Days without a score interrupt the line. */
function scorePath(points: readonly Point[], xOf: (point: Point) => number, width: number): string {
  let isDrawn = false;
  return points
    .map((point) => {
      if (point.score === null) {
        isDrawn = false;
        return '';
      }
      const step = `${isDrawn ? 'L' : 'M'}${xOf(point).toFixed(2)} ${(100 - point.score).toFixed(2)}h${width.toFixed(2)}`;
      isDrawn = true;
      return step;
    })
    .join('');
}

/** The next number that reads well on an axis: 1, 2 or 5 times a power of ten, and even. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((one) => one * power >= value) ?? 10;
  return Math.max(2, factor * power);
}

function TrendTable({ points }: { readonly points: readonly Point[] }) {
  return (
    <details className={styles.tableView}>
      <summary>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard */}
      <section aria-label="Trend as a table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">Open</th>
              <th scope="col">Opened</th>
              <th scope="col">Resolved</th>
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map((point) => (
              <tr key={point.date}>
                <th scope="row">{calendarDay(point.date)}</th>
                <td>{count(total(point))}</td>
                <td>{count(point.opened)}</td>
                <td>{count(point.resolved)}</td>
                <td>{point.score === null ? '–' : percent(point.score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
