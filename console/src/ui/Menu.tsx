import {
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react';
import styles from './Menu.module.css';
import popup from './Popup.module.css';
import { Popup } from './Popup.tsx';
import { type FirstItem, useListKeys } from './use-list-keys.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  /** Text at the right, such as the role in a tenant. */
  readonly hint?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

export interface MenuGroup {
  readonly label?: string;
  readonly items: readonly MenuItem[];
}

interface MenuProps {
  /** The button that opens the menu; it needs a name. */
  readonly trigger: ReactElement<object>;
  readonly groups: readonly MenuGroup[];
  readonly side?: 'top' | 'bottom';
  readonly align?: 'start' | 'end';
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/** A menu of actions behind a button. */
export function Menu({ trigger, groups, side, align, onOpenChange }: MenuProps) {
  const [first, setFirst] = useState<FirstItem | null>(null);
  const anchor = useRef<HTMLElement>(null);
  const id = useId();
  const open = (item: FirstItem | null) => {
    setFirst(item);
    onOpenChange?.(item !== null);
  };
  const button = {
    ref: anchor,
    'aria-haspopup': 'menu',
    'aria-expanded': first !== null,
    'aria-controls': first === null ? undefined : id,
    onClick: () => open(first === null ? 'first' : null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open(event.key === 'ArrowDown' ? 'first' : 'last');
    },
  };
  return (
    <>
      {cloneElement(trigger, button)}
      {first !== null && (
        <Popup
          anchor={anchor}
          side={side}
          align={align}
          className={styles.popup}
          onClose={() => open(null)}
        >
          <Items id={id} first={first} anchor={anchor} groups={groups} onClose={() => open(null)} />
        </Popup>
      )}
    </>
  );
}

interface ItemsProps {
  readonly id: string;
  readonly first: FirstItem;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly groups: readonly MenuGroup[];
  readonly onClose: () => void;
}

function Items({ id, first, anchor, groups, onClose }: ItemsProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = useListKeys(list, first);
  const choose = ({ disabled, onSelect }: MenuItem) => {
    if (disabled) return;
    onClose();
    onSelect();
  };
  return (
    <div
      id={id}
      ref={list}
      role="menu"
      tabIndex={-1}
      aria-label={nameOf(anchor.current)}
      onKeyDown={(event) => {
        onKey(event);
        if (event.key === 'Tab') onClose();
      }}
    >
      {groups.map(({ label, items }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
        <div key={label ?? index} role="group" aria-label={label} className={styles.group}>
          {label !== undefined && (
            <div className={styles.label} aria-hidden="true">
              {label}
            </div>
          )}
          {items.map((item, place) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: two items may have one name, such as the views of two people
              key={place}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`${popup.item} ${styles.item}`}
              data-danger={item.danger || undefined}
              aria-disabled={item.disabled || undefined}
              onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
              onClick={() => choose(item)}
            >
              {item.icon}
              <span className={styles.text}>{item.label}</span>
              <span className={styles.hint} title={item.hint}>
                {item.hint}
              </span>
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The menu has the name of its button. */
function nameOf(button: HTMLElement | null): string | undefined {
  return button?.getAttribute('aria-label') ?? button?.textContent?.trim();
}
