import type { FindingSummary, PostureTrend, Severity } from '@cspm/sdk';
import { count } from '../../lib/format.ts';
import { SEVERITIES, SEVERITY_LABEL, SeverityIcon } from '../../ui/Severity.tsx';
import styles from './SeverityStrip.module.css';
import { toggled } from './search.ts';

const WIDTH = 88;
const HEIGHT = 28;
const WEEK = 7;

interface SeverityStripProps {
  readonly summary: FindingSummary | undefined;
  /** Undefined: not loaded, or the search is not the whole tenant, for which alone there is a trend. */
  readonly trend: PostureTrend | undefined;
  readonly chosen: readonly Severity[] | undefined;
  readonly onChange: (severity: readonly Severity[] | undefined) => void;
}

/** The number of findings of each severity. Each card is a filter. */
export function SeverityStrip({ summary, trend, chosen, onChange }: SeverityStripProps) {
  return (
    <fieldset className={styles.strip}>
      <legend className={styles.legend}>Filter by severity</legend>
      {SEVERITIES.map((severity) => {
        const size = summary && numberOf(summary, severity);
        const values = trend?.points.map(({ open }) => open[severity]) ?? [];
        // The trend counts muted findings too. Where it ends with another number, it says nothing about the one shown.
        const isSame = values.length > 1 && values.at(-1) === size;
        return (
          <button
            key={severity}
            type="button"
            className={styles.card}
            data-severity={severity}
            aria-pressed={chosen?.includes(severity) ?? false}
            onClick={() => onChange(toggled(chosen, severity))}
          >
            <span className={styles.label}>
              <SeverityIcon level={severity} size={18} />
              {SEVERITY_LABEL[severity]}
            </span>
            <span className={styles.value}>{size === undefined ? '–' : count(size)}</span>
            {isSame && (
              <>
                <Change values={values} />
                <Spark values={values} />
              </>
            )}
          </button>
        );
      })}
    </fieldset>
  );
}

function numberOf({ facets }: FindingSummary, severity: Severity): number {
  return facets.severity.find(({ value }) => value === severity)?.count ?? 0;
}

function Change({ values }: { readonly values: readonly number[] }) {
  const before = values.at(-1 - WEEK) ?? values[0] ?? 0;
  const week = (values.at(-1) ?? 0) - before;
  if (week === 0) return null;
  return (
    <span className={styles.change} data-worse={week > 0 || undefined}>
      {week > 0 ? '+' : '−'}
      {count(Math.abs(week))}
      <i> this week</i>
    </span>
  );
}

/** The last 30 days as a line. The text beside it gives the change of the week. */
function Spark({ values }: { readonly values: readonly number[] }) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const point = (value: number, index: number) => {
    const x = (index / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 3 - ((value - low) / (high - low || 1)) * (HEIGHT - 6);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const line = values.map(point).join(' L');
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.area} d={`M0,${HEIGHT} L${line} L${WIDTH},${HEIGHT}Z`} />
      <path className={styles.line} d={`M${line}`} />
    </svg>
  );
}
