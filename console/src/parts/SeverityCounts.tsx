import type { Severity } from '@cspm/sdk';
import { count, shortCount } from '../lib/format.ts';
import { Hidden } from '../ui/Button.tsx';
import { SEVERITIES, SEVERITY_LABEL, SeverityIcon } from '../ui/Severity.tsx';
import { findingsLink } from './findings-link.ts';
import { PermittedLink } from './PermittedLink.tsx';
import styles from './SeverityCounts.module.css';

type Counts = Readonly<Record<Severity, number>>;

interface SeverityCountsProps {
  /** Of open findings, muted or not. */
  readonly counts: Counts;
  /** Filters of the findings that are counted. */
  readonly filters: Omit<Parameters<typeof findingsLink>[0], 'severity'>;
}

/** The number of findings of each severity in one line. Each leads to the findings. */
export function SeverityCounts({ counts, filters }: SeverityCountsProps) {
  const shown = SEVERITIES.filter((level) => counts[level] > 0);
  if (shown.length === 0) return <span className={styles.none}>No findings</span>;
  return (
    <span className={styles.counts}>
      {shown.map((level) => (
        <PermittedLink
          permission="findings.read"
          key={level}
          {...findingsLink({ view: 'all', ...filters, severity: [level] })}
          className={styles.count}
          title={`${count(counts[level])} ${SEVERITY_LABEL[level]}`}
        >
          <SeverityIcon level={level} size={16} />
          {shortCount(counts[level])}
          <Hidden> {SEVERITY_LABEL[level]}</Hidden>
        </PermittedLink>
      ))}
    </span>
  );
}

interface SeverityTilesProps extends SeverityCountsProps {
  /** The change of each number, such as over a week. */
  readonly changes?: Counts | undefined;
  /** What the change is compared with: `7 days ago`. */
  readonly since?: string;
}

/** The number of findings of each severity as large figures. Each leads to the findings. */
export function SeverityTiles({ counts, filters, changes, since }: SeverityTilesProps) {
  return (
    <ul className={styles.tiles}>
      {SEVERITIES.map((level) => (
        <li key={level}>
          <PermittedLink
            permission="findings.read"
            {...findingsLink({ view: 'all', ...filters, severity: [level] })}
            className={styles.tile}
            data-level={level}
          >
            <span className={styles.label}>
              <span className={styles.icon}>
                <SeverityIcon level={level} size={16} />
              </span>
              {SEVERITY_LABEL[level]}
            </span>
            <span className={styles.figure}>
              <b>{count(counts[level])}</b>
              {changes !== undefined && changes[level] !== 0 && (
                <small
                  data-worse={changes[level] > 0 || undefined}
                  title={since === undefined ? undefined : `Compared with ${since}`}
                >
                  {changes[level] > 0 ? '+' : '−'}
                  {shortCount(Math.abs(changes[level]))}
                </small>
              )}
            </span>
          </PermittedLink>
        </li>
      ))}
    </ul>
  );
}
