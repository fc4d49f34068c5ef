import { CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './Outside.module.css';

interface OutsideDoneProps {
  /** What happened, and what comes next. */
  readonly children: ReactNode;
  /** A link to the next page. */
  readonly next?: ReactNode;
}

/** Replaces the form of a page outside the shell after success. Gets the focus, so that screen readers read it. */
export function OutsideDone({ children, next }: OutsideDoneProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div ref={element} className={styles.done} role="status" tabIndex={-1}>
      <CircleCheck size={30} strokeWidth={1.5} aria-hidden />
      <div className={styles.text}>{children}</div>
      {next}
    </div>
  );
}
