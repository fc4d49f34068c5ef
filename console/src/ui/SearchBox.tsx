import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useDebouncedText } from '../lib/use-debounced-text.ts';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { Kbd } from './Button.tsx';
import styles from './SearchBox.module.css';

/** One request for a word, not one for each letter of it. */
const PAUSE_MS = 300;

interface SearchBoxProps {
  readonly label: string;
  /** Default: the label. */
  readonly placeholder?: string;
  readonly value: string;
  /** Called with the trimmed text, 300 ms after the last change. */
  readonly onChange: (value: string) => void;
  /** Replaces the looks of the box. */
  readonly className?: string | undefined;
}

const trimmed = (text: string) => text.trim();

/** A text filter. The key `/` moves the focus into it, Escape out of it. */
export function SearchBox({
  label,
  placeholder = label,
  value,
  onChange,
  className = styles.box,
}: SearchBoxProps) {
  const [text, setText] = useDebouncedText(value, trimmed, onChange, PAUSE_MS);
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => input.current?.focus() });
  return (
    <label className={className}>
      <Search size={14} aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Browsers would clear the text.
          event.preventDefault();
          input.current?.blur();
        }}
      />
      <Kbd>/</Kbd>
    </label>
  );
}
