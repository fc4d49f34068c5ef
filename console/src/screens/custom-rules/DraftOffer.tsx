import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './custom-rules.module.css';

interface DraftOfferProps {
  /** In milliseconds since 1970. */
  readonly keptAt: number;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}

/** Offers unsaved changes that the tab has kept, for example when the session ended. */
export function DraftOffer({ keptAt, onRestore, onDiscard }: DraftOfferProps) {
  return (
    <section className={styles.offer} aria-label="Unsaved changes">
      <p role="status">
        This tab has unsaved changes to this rule, written{' '}
        <Time at={new Date(keptAt).toISOString()} />.
      </p>
      <Button kind="primary" onClick={onRestore}>
        Restore draft
      </Button>
      <Button onClick={onDiscard}>Discard draft</Button>
    </section>
  );
}
