import { BellOff, X } from 'lucide-react';
import { count } from '../../lib/format.ts';
import { Button, Kbd } from '../../ui/Button.tsx';
import styles from './BulkBar.module.css';
import { type SelectionSize, selectionText } from './selection-text.ts';

interface BulkBarProps extends SelectionSize {
  readonly onAll: () => void;
  readonly onClear: () => void;
}

/** The actions for selected findings. */
export function BulkBar(props: BulkBarProps) {
  const { size, total, isAll, mutable, limit, onAll, onMute, onClear } = props;
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected findings">
      <strong>{selectionText(props)}</strong>
      {!isAll && total !== undefined && total > size && (
        <button type="button" className={styles.all} onClick={onAll}>
          Select all {count(total)}
        </button>
      )}
      {onMute !== undefined && (
        <Button kind="quiet" disabled={limit !== undefined || !mutable} onClick={onMute}>
          <BellOff size={14} aria-hidden />
          Mute
          <Kbd>m</Kbd>
        </Button>
      )}
      <Button kind="quiet" square aria-label="Clear the selection" onClick={onClear}>
        <X size={15} aria-hidden />
      </Button>
    </div>
  );
}
