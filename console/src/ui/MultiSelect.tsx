import { ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import own from './MultiSelect.module.css';
import { Popup } from './Popup.tsx';
import { type Option, Options, useListBox } from './Select.tsx';

interface MultiSelectProps<Value extends string> {
  /** Stands on the button, with the number of chosen values. */
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly values: readonly Value[];
  readonly onChange: (values: Value[]) => void;
}

/** A filter: any number of choices behind a button. */
export function MultiSelect<Value extends string>(props: MultiSelectProps<Value>) {
  const { label, options, values, onChange } = props;
  const anchor = useRef<HTMLButtonElement>(null);
  const list = useListBox(anchor);
  return (
    <>
      <button
        type="button"
        {...list.trigger}
        ref={anchor}
        className={own.trigger}
        data-active={values.length > 0 || undefined}
        aria-label={values.length > 0 ? `${label}, ${values.length} chosen` : label}
      >
        {label}
        {values.length > 0 && <span className={own.count}>{values.length}</span>}
        <ChevronDown size={14} aria-hidden />
      </button>
      {list.isOpen && (
        <Popup anchor={anchor} onClose={list.close}>
          <Options
            id={list.id}
            label={label}
            multiple
            options={options}
            chosen={values}
            onChoose={(one) =>
              onChange(
                values.includes(one) ? values.filter((value) => value !== one) : [...values, one],
              )
            }
            onTab={list.close}
          />
        </Popup>
      )}
    </>
  );
}
