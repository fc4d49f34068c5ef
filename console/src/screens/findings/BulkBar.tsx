import { BellOff, X } from 'lucide-react';
import { count } from '../../lib/format.ts';
import { Button, Kbd } from '../../ui/Button.tsx';
import styles from './BulkBar.module.css';

interface BulkBarProps {
  /** Selected rows. */
  readonly size: number;
  /** Findings that match the search, loaded or not. Undefined: not known yet. */
  readonly total: number | undefined;
  /** All matches are selected, and not only rows. */
  readonly isAll: boolean;
  /** How many of the selected findings can be muted. Undefined: not known yet. */
  readonly mutable: number | undefined;
  /** How many findings can be muted at once, if more are selected. */
  readonly limit: number | undefined;
  readonly onAll: () => void;
  /** Left out: the person may not mute. */
  readonly onMute: (() => void) | undefined;
  readonly onClear: () => void;
}

/** The actions for selected findings. */
export function BulkBar(props: BulkBarProps) {
  const { size, total, isAll, mutable, limit, onAll, onMute, onClear } = props;
  const selected = isAll ? total : size;
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected findings">
      <strong role="status">
        {selected === undefined ? 'All' : count(selected)} selected
        {onMute !== undefined && muteText(props, selected)}
      </strong>
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

/** Why not all of the selected findings can be muted. */
function muteText({ mutable, limit }: BulkBarProps, selected: number | undefined): string {
  if (limit !== undefined) return `, at most ${count(limit)} can be muted at once`;
  if (mutable === undefined || mutable === selected) return '';
  return `, ${count(mutable)} open. Only open findings can be muted`;
}
