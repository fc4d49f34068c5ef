import { type ReactNode, useId } from 'react';
import styles from './Card.module.css';

interface CardProps {
  readonly title: string;
  /** One line under the title. */
  readonly subtitle?: ReactNode;
  /** Links and buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** A part of a screen with a heading. */
export function Card({ title, subtitle, actions, children, className = '' }: CardProps) {
  const id = useId();
  return (
    <section className={`${styles.card} ${className}`} aria-labelledby={id}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2 id={id}>{title}</h2>
          {subtitle !== undefined && <p>{subtitle}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}

interface StatProps {
  readonly label: string;
  readonly children: ReactNode;
  /** A small text under the value. */
  readonly hint?: ReactNode;
}

/** A row of figures. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

export function Stat({ label, children, hint }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt>{label}</dt>
      <dd>
        <b>{children}</b>
        {hint !== undefined && <small>{hint}</small>}
      </dd>
    </div>
  );
}

interface MeterProps {
  /** What is progressing. */
  readonly label: string;
  /** From 0 to 1; null: it is unknown how much is left. */
  readonly value: number | null;
}

/** A progress bar. */
export function Meter({ label, value }: MeterProps) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={styles.meter}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
      data-unknown={percent === null || undefined}
    >
      <span style={percent === null ? {} : { width: `${percent}%` }} />
    </div>
  );
}
