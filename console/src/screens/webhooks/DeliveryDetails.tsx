import type { WebhookDelivery } from '@cspm/sdk';
import { count } from '../../lib/format.ts';
import { CopyId } from '../../ui/Copy.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Webhooks.module.css';

/** The attempts to deliver an event, and the event. */
export function DeliveryDetails({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { messageId, attempts, payload } = delivery;
  return (
    <div className={styles.form}>
      <p className={styles.muted}>
        <code>webhook-id</code> <CopyId id={messageId} />
      </p>
      {attempts.length === 0 ? (
        <p>There was no attempt yet.</p>
      ) : (
        <ol className={styles.attempts} aria-label="Attempts">
          {attempts.map(({ at, status, milliseconds, problem }) => (
            <li key={`${at} ${milliseconds}`}>
              <span>
                <b>{status === null ? 'No answer' : `HTTP ${status}`}</b> after{' '}
                {count(milliseconds)} ms, <Time at={at} />
              </span>
              {problem !== null && <small>{problem}</small>}
            </li>
          ))}
        </ol>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard */}
      <section className={styles.payload} tabIndex={0} aria-label="Event">
        <pre>{JSON.stringify(payload, null, 2)}</pre>
      </section>
    </div>
  );
}
