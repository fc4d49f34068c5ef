import { type ReactNode, useRef } from 'react';
import { useKeptScroll } from '../lib/use-kept-scroll.ts';
import { useTitle } from '../lib/use-title.ts';
import styles from './ui.module.css';

interface PageProps {
  readonly title: string;
  /** One line under the title. */
  readonly subtitle?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** What is listed, if the page has filters. Another query begins at the top. */
  readonly query?: string;
  readonly children: ReactNode;
}

/** The frame of a screen: heading, actions, and content that scrolls. Sets the title of the document. */
export function Page({ title, subtitle, actions, query, children }: PageProps) {
  useTitle(title);
  const scroller = useRef<HTMLDivElement>(null);
  useKeptScroll(scroller, 'page', query);
  return (
    <div ref={scroller} className={styles.page}>
      <header className={styles.pageHead}>
        <div className={styles.pageTitle}>
          <h1>{title}</h1>
          {subtitle !== undefined && <p>{subtitle}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
