import type { PostureSummary } from '@cspm/sdk';
import { Card } from '../../ui/Card.tsx';
import styles from './Dashboard.module.css';
import { percent } from './percent.ts';

const RADIUS = 52;
const LENGTH = 2 * Math.PI * RADIUS;

/** The score from 0 to 100, its changes, and how many verdicts it rests on. */
export function ScoreCard({ summary }: { readonly summary: PostureSummary }) {
  const { score, coverage, change7Days, change30Days } = summary;
  return (
    <Card title="Score" className={styles.score}>
      <div className={styles.ring} data-level={levelOf(score)}>
        <svg viewBox="0 0 120 120" aria-hidden="true">
          <circle className={styles.track} cx="60" cy="60" r={RADIUS} />
          <circle
            className={styles.arc}
            cx="60"
            cy="60"
            r={RADIUS}
            strokeDasharray={`${((score ?? 0) / 100) * LENGTH} ${LENGTH}`}
            transform="rotate(-90 60 60)"
          />
        </svg>
        <p>
          <b>{score === null ? '–' : percent(score)}</b>
          <small>of 100</small>
        </p>
      </div>
      <dl className={styles.facts}>
        <Change label="7 days" value={change7Days?.score ?? null} />
        <Change label="30 days" value={change30Days?.score ?? null} />
        <div>
          <dt>Coverage</dt>
          <dd title="The share of verdicts that could be decided">
            {coverage.percent === null ? '–' : `${percent(coverage.percent)} %`}
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function Change({ label, value }: { readonly label: string; readonly value: number | null }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-tone={value === null || value === 0 ? undefined : value > 0 ? 'good' : 'bad'}>
        {value === null
          ? '–'
          : `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`}
      </dd>
    </div>
  );
}

function levelOf(score: number | null): string | undefined {
  if (score === null) return undefined;
  if (score >= 90) return 'good';
  return score >= 70 ? 'fair' : 'bad';
}
