import type { ReactNode } from 'react';
import styles from './OutsidePage.module.css';

interface OutsidePageProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Under the card. */
  readonly footer?: ReactNode;
}

/** The frame of pages without a session, such as sign-in and the pages that links in mails open. */
export function OutsidePage({ title, children, footer }: OutsidePageProps) {
  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} width={40} height={40} alt="" />
        <span>CSPM console</span>
      </div>
      <div className={styles.card}>
        <h1>{title}</h1>
        {children}
      </div>
      {footer !== undefined && <div className={styles.footer}>{footer}</div>}
    </main>
  );
}
