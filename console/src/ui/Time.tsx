import { age, dateTime, relative } from '../lib/format.ts';
import { useNow } from '../lib/use-now.ts';
import styles from './ui.module.css';

interface TimeProps {
  /** RFC 3339. */
  readonly at: string;
  /** `age`: `3 h`; `relative`: `3 h ago`. */
  readonly as?: 'age' | 'relative';
}

/** A relative time; the exact one is shown on hover. */
export function Time({ at, as = 'relative' }: TimeProps) {
  const now = useNow();
  return (
    <time className={styles.time} dateTime={at} title={dateTime(at)}>
      {as === 'age' ? age(at, now) : relative(at, now)}
    </time>
  );
}
