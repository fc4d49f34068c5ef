import { useEffect, useState } from 'react';

/**
 * The text of a field whose value is in the address. A pause in typing changes the address, and an address that changes
 * without typing, such as by a link or the back button, changes the text.
 * @param settle the value for a text; null: it is not complete yet.
 * @param onChange gets that value after the pause.
 * @param pause in milliseconds.
 */
export function useDebouncedText(
  value: string,
  settle: (text: string) => string | null,
  onChange: (value: string) => void,
  pause: number,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // The page is drawn before the address has changed.
  const [sent, setSent] = useState<string | null>(null);
  if (value !== known) {
    setKnown(value);
    setSent(null);
    if (value !== sent) setText(value);
  }
  const settled = settle(text);
  useEffect(() => {
    if (settled === null || settled === value) return;
    const timer = setTimeout(() => {
      setSent(settled);
      onChange(settled);
    }, pause);
    return () => clearTimeout(timer);
  }, [settled, value, onChange, pause]);
  return [text, setText];
}
