import styles from './CodeLine.module.css';
import { Copy } from './Copy.tsx';

/** A command with a button that copies it. */
export function CodeLine({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={styles.line}>
      <code>{text}</code>
      <Copy text={text} label={label} />
    </div>
  );
}
