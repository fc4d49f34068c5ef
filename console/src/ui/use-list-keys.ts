import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

/** The time within which the next letter belongs to the same word, in milliseconds. */
const WORD_MS = 700;

const ITEMS = '[role=menuitem], [role=option]';

/** Which item gets the focus when the list opens, or when items arrive in an open list. */
export type FirstItem = 'first' | 'last' | 'chosen';

/**
 * Keys of a list of actions or options: arrows, Home, End, and the first letters of an item. Exactly one item has the
 * focus.
 * @returns the handler for the element that contains the items.
 */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  first: FirstItem,
): (event: KeyboardEvent) => void {
  const word = useRef({ text: '', at: 0 });
  // After the layout effect that shows the popup: what is hidden takes no focus. After every render: items may be loaded
  // later, and replace the one that has the focus. The list closes when the person moves the focus elsewhere.
  useEffect(() => {
    if (list.current?.contains(document.activeElement)) return;
    const items = itemsOf(list.current);
    const chosen = items.find((item) => item.getAttribute('aria-selected') === 'true');
    (first === 'last' ? items.at(-1) : (chosen ?? items[0]))?.focus();
  });
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = itemsOf(list.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (Math.max(at, 0) - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const next = items[steps[event.key] ?? -1] ?? named(items, at, event);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  function named(items: readonly HTMLElement[], at: number, event: KeyboardEvent) {
    const isLater = event.timeStamp - word.current.at > WORD_MS;
    // A space chooses the item, except within a word.
    if (event.key.length !== 1 || (event.key === ' ' && isLater)) return undefined;
    const text = (isLater ? '' : word.current.text) + event.key.toLowerCase();
    word.current = { text, at: event.timeStamp };
    const from = text.length === 1 ? at + 1 : Math.max(at, 0);
    return [...items.slice(from), ...items.slice(0, from)].find((item) =>
      item.textContent?.trim().toLowerCase().startsWith(text),
    );
  }
}

/** Disabled items take the focus too, so that screen readers can read them. */
function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
}
