import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import styles from './Field.module.css';
import popup from './Popup.module.css';
import { Popup } from './Popup.tsx';
import { useListKeys } from './use-list-keys.ts';

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** The value is part of the form under this name. */
  readonly name?: string;
  /** The value cannot be changed now, such as while it is being saved. The button keeps the focus. */
  readonly busy?: boolean;
}

/** One choice of several, with a label. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { name, label, options, value, onChange, busy = false } = props;
  const anchor = useRef<HTMLButtonElement>(null);
  const list = useListBox(anchor, busy);
  const id = useId();
  return (
    <div className={styles.field}>
      <span className={styles.label} id={id}>
        {label}
      </span>
      {name !== undefined && <input type="hidden" name={name} value={value} />}
      <button
        type="button"
        {...list.trigger}
        ref={anchor}
        className={styles.trigger}
        aria-labelledby={id}
      >
        <span className={styles.value}>
          {options.find((option) => option.value === value)?.label}
        </span>
        <ChevronDown size={14} aria-hidden />
      </button>
      {list.isOpen && (
        <Popup anchor={anchor} onClose={list.close}>
          <Options
            id={list.id}
            labelledBy={id}
            options={options}
            chosen={[value]}
            onChoose={(one) => {
              list.close();
              if (one === value) return;
              onChange(one);
              // A dialog or a form around it notices the change as that of a field of the browser.
              anchor.current?.dispatchEvent(new Event('input', { bubbles: true }));
            }}
            onTab={list.close}
          />
        </Popup>
      )}
    </div>
  );
}

/** The button of a list box, and whether the list is open. */
export function useListBox(anchor: RefObject<HTMLElement | null>, busy = false) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return {
    id,
    isOpen,
    close: () => setOpen(false),
    trigger: {
      role: 'combobox',
      'aria-haspopup': 'listbox',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
      'aria-disabled': busy || undefined,
      onClick: () => setOpen(!isOpen && !busy),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.target !== anchor.current || !/^Arrow(Up|Down)$/.test(event.key)) return;
        event.preventDefault();
        setOpen(!busy);
      },
    },
  } as const;
}

interface OptionsProps<Value extends string> {
  readonly id: string;
  readonly label?: string;
  readonly labelledBy?: string;
  readonly multiple?: boolean;
  readonly options: readonly Option<Value>[];
  readonly chosen: readonly Value[];
  readonly onChoose: (value: Value) => void;
  readonly onTab: () => void;
}

/** The options of an open list box. */
export function Options<Value extends string>(props: OptionsProps<Value>) {
  const { id, label, labelledBy, multiple, options, chosen, onChoose, onTab } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKey = useListKeys(list, 'chosen');
  return (
    <div
      id={id}
      ref={list}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-multiselectable={multiple}
      onKeyDown={(event) => {
        onKey(event);
        if (event.key === 'Tab') onTab();
      }}
    >
      {options.map(({ value, label: text }) => (
        <button
          key={value}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={chosen.includes(value)}
          className={`${popup.item} ${styles.option}`}
          onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
          onClick={() => onChoose(value)}
        >
          <Check size={14} aria-hidden />
          {text}
        </button>
      ))}
    </div>
  );
}
