import type { Severity as Level } from '@cspm/sdk';
import styles from './ui.module.css';

export { SEVERITIES } from '../lib/severities.ts';

const STEPS: Record<Level, number> = { critical: 4, high: 3, medium: 2, low: 1, info: 0 };

export const SEVERITY_LABEL: Record<Level, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
};

/** Shows the severity by the number of bars as well as by colour. */
export function SeverityIcon({
  level,
  size = 20,
}: {
  readonly level: Level;
  readonly size?: number;
}) {
  return (
    <svg
      className={styles[level]}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <rect className={styles.tile} width="20" height="20" rx="5.5" />
      {[0, 1, 2, 3].map((step) => (
        <rect
          key={step}
          className={step < STEPS[level] ? undefined : styles.off}
          fill="currentColor"
          x={4 + step * 3.2}
          y={11.5 - step * 2.2}
          width="2.2"
          height={4 + step * 2.2}
          rx="1"
        />
      ))}
    </svg>
  );
}

export function Severity({ level }: { readonly level: Level }) {
  return (
    <span className={`${styles.severity} ${styles[level]}`}>
      <SeverityIcon level={level} />
      {SEVERITY_LABEL[level]}
    </span>
  );
}
