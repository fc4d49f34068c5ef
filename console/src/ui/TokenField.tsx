import { X } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { takeLostFocus } from '../lib/take-lost-focus.ts';
import { Button } from './Button.tsx';
import styles from './TokenField.module.css';

interface TokenFieldProps {
  readonly label: string;
  readonly description: string;
  readonly values: readonly string[];
  readonly suggestions: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** What is wrong; null: nothing. */
  readonly error: string | null;
  /** It takes the focus from what it replaces. */
  readonly takesFocus?: boolean;
}

/** A list of texts, to which more are added, with suggestions. Text that is not added yet is added on leaving and on submit. */
export function TokenField(props: TokenFieldProps) {
  const { label, description, values, suggestions, error, takesFocus = false } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) takeLostFocus(input.current);
  }, [takesFocus]);
  const [text, setText] = useState('');
  const change = (next: readonly string[]) => {
    props.onChange(next);
    // Removing a text is no input of the browser; a dialog or a form around it notices it by this event.
    input.current?.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const add = (value: string) => {
    const selector = value.trim();
    setText('');
    if (selector !== '' && !values.includes(selector)) change([...values, selector]);
  };
  const addPending = useRef(() => add(text));
  useEffect(() => {
    addPending.current = () => add(text);
  });
  useEffect(() => {
    const form = input.current?.form;
    // React calls the form's own handler later, which then finds the text in the list.
    const flush = () => flushSync(() => addPending.current());
    form?.addEventListener('submit', flush);
    return () => form?.removeEventListener('submit', flush);
  }, []);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // The new line would move a button from under the pointer before its click.
    if (!(relatedTarget instanceof HTMLButtonElement)) add(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && values.length > 0) {
      change(values.slice(0, -1));
    }
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {values.length > 0 && (
        <ul className={styles.chips} aria-label={`${label}: chosen`}>
          {values.map((value) => (
            <li key={value} className={styles.chip}>
              <code>{value}</code>
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => change(values.filter((other) => other !== value))}
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.add}>
        <input
          ref={input}
          id={id}
          list={`${id}-suggestions`}
          value={text}
          maxLength={100}
          autoComplete="off"
          aria-describedby={`${id}-description`}
          aria-invalid={error !== null || undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={onBlur}
        />
        <Button onClick={() => add(text)} aria-label={`Add to ${label}`}>
          Add
        </Button>
      </div>
      <datalist id={`${id}-suggestions`}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <p id={`${id}-description`} className={error === null ? styles.quiet : styles.error}>
        {error ?? description}
      </p>
    </div>
  );
}
