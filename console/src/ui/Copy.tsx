import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import { toast } from './Toasts.tsx';
import styles from './ui.module.css';

const SHOWN_MS = 1500;

interface CopyProps {
  readonly text: string;
  /** What the button does: `Copy the command`. */
  readonly label: string;
}

/** A button that copies a text. */
export function Copy({ text, label }: CopyProps) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) {
      toast('The browser refused to copy. Select the text and copy it by hand.', { tone: 'bad' });
      return;
    }
    setDone(true);
    setTimeout(setDone, SHOWN_MS, false);
  };
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={isDone ? 'Copied' : label}
      title={label}
      onClick={() => void copy()}
    >
      {isDone ? <Check size={13} aria-hidden /> : <CopyIcon size={13} aria-hidden />}
    </button>
  );
}

/** An identifier in full, with a button that copies it. */
export function CopyId({
  id,
  label = 'Copy the id',
}: {
  readonly id: string;
  readonly label?: string;
}) {
  return (
    <span className={styles.copyId}>
      {id}
      <Copy text={id} label={label} />
    </span>
  );
}
