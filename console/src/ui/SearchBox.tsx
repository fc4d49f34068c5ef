import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { Kbd } from './Button.tsx';
import styles from './SearchBox.module.css';

/** One request for a word, not one for each letter of it. */
const DEBOUNCE_MS = 300;

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

/** A text filter. The key `/` moves the focus into it, Escape out of it. */
export function SearchBox({
  label,
  placeholder = label,
  value,
  onChange,
  className = styles.box,
}: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The address can change without typing: a link, the back button.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  useShortcuts({ '/': () => input.current?.focus() });
  useEffect(() => {
    const settled = text.trim();
    if (settled === value) return;
    const timer = setTimeout(() => {
      setKnown(settled);
      onChange(settled);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
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
