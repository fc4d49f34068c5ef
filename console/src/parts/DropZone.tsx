import { FileUp } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import styles from './parts.module.css';

interface DropZoneProps {
  readonly title: string;
  /** Names the file input. */
  readonly label: string;
  /** The kinds of files that the browser offers. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
  /** What kind of file is expected. */
  readonly children: ReactNode;
}

/** Takes a file by drag and drop or by choosing it. */
export function DropZone({ title, label, accept, onFile, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className={styles.drop}
      data-testid="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileUp size={26} strokeWidth={1.4} aria-hidden />
      <b>{title}</b>
      <p>{children}</p>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <input
        ref={input}
        className={styles.fileInput}
        type="file"
        aria-label={label}
        tabIndex={-1}
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Choosing the same file again is a change too.
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </div>
  );
}
