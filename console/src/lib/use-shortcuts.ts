import { type RefObject, useEffect, useRef } from 'react';
import { singleKeys } from './single-keys.ts';

/** The time within which the second key of a sequence such as `g f` must follow, in milliseconds. */
const SEQUENCE_MS = 1200;

/** What takes the keys while it is open. */
const OPEN_ABOVE = 'dialog, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

/** The shortcuts of what is on the page. */
const active = new Set<RefObject<Shortcuts>>();

let previous = { key: '', at: 0 };
let last = { key: '', at: 0 };

/**
 * Runs an action for a key (`j`) or a sequence of two keys (`g f`), unless the person types in a field or a dialog is
 * open. A key whose action is undefined does nothing, nor does a letter or a sign while the person has turned them off.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    active.add(latest);
    return () => {
      active.delete(latest);
    };
  }, []);
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || !isFree(event)) return;
  // Keys with a name, such as Escape, have longer texts.
  if (event.key.length === 1 && !singleKeys.get()) return;
  const action = actionFor(event.key);
  if (action === undefined) return;
  event.preventDefault();
  action();
});

// In the capture phase, so before the listeners of components.
document.addEventListener(
  'keydown',
  (event) => {
    previous = last;
    last = { key: isFree(event) ? event.key : '', at: performance.now() };
  },
  true,
);

/** A sequence comes before a single key, whichever part of the page has it. */
function actionFor(key: string): (() => void) | undefined {
  const isSequence = previous.key !== '' && last.at - previous.at < SEQUENCE_MS;
  const all = [...active].map(({ current }) => current);
  const find = (keys: string) => all.find((one) => one[keys])?.[keys];
  return (isSequence ? find(`${previous.key} ${key}`) : undefined) ?? find(key);
}

function isFree(event: KeyboardEvent): boolean {
  // Inside a shadow root, such as that of the editor, the target of the event is only its host.
  const [target] = event.composedPath();
  if (event.metaKey || event.ctrlKey || event.altKey || !(target instanceof HTMLElement))
    return false;
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return false;
  // Enter and Space belong to the button or link that has the focus.
  if (/^(Enter| )$/.test(event.key) && target.closest('button, a, [role=tab], [role=checkbox]'))
    return false;
  return document.querySelector(OPEN_ABOVE) === null;
}
