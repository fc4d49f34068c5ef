import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { createStore } from '../lib/store.ts';
import { openModals } from './open-modals.ts';
import styles from './Toasts.module.css';

interface ToastOptions {
  readonly tone?: 'good' | 'bad';
  /** A button in the toast, such as Undo. */
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

interface ShownToast extends ToastOptions {
  readonly id: number;
  readonly title: string;
}

/** How long a toast stays, in milliseconds: longer if there is something to do about it. */
const SHOWN_MS = 5000;
const SHOWN_LONG_MS = 10_000;
/** At most; the oldest gives way. */
const SHOWN_AT_ONCE = 3;

const NONE: readonly ShownToast[] = [];
const shown = createStore(NONE);
let lastId = 0;

/** Shows a short message in the corner, which screen readers announce. */
export function toast(title: string, options: ToastOptions = {}): void {
  lastId += 1;
  shown.set([...shown.get(), { ...options, id: lastId, title }].slice(-SHOWN_AT_ONCE));
}

function close(id: number): void {
  shown.set(shown.get().filter((one) => one.id !== id));
}

/**
 * The corner for toasts, in the topmost dialog that is open. That of the page stays: screen readers announce a text that
 * comes into a region which is there already, such as that of a toast after its dialog has closed.
 */
export function Toasts() {
  const toasts = shown.use();
  const modal = openModals.use().at(-1);
  return (
    <>
      <Corner toasts={modal === undefined ? toasts : NONE} />
      {modal !== undefined && createPortal(<Corner toasts={toasts} />, modal)}
    </>
  );
}

function Corner({ toasts }: { readonly toasts: readonly ShownToast[] }) {
  const corner = useRef<HTMLElement>(null);
  // A popover that is shown later lies above one that is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each toast may come after another popover
  useLayoutEffect(() => {
    const { current } = corner;
    // The dialog may have been removed together with this change: the corner then moves to the one below.
    if (current?.isConnected !== true) return;
    current.hidePopover();
    current.showPopover();
  }, [toasts]);
  return (
    <section
      ref={corner}
      popover="manual"
      className={styles.viewport}
      aria-label="Notifications"
      aria-live="polite"
    >
      {toasts.map((one) => (
        <Toast key={one.id} toast={one} />
      ))}
    </section>
  );
}

function Toast({ toast: { id, title, tone, action } }: { readonly toast: ShownToast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(close, action || tone === 'bad' ? SHOWN_LONG_MS : SHOWN_MS, id);
    return () => clearTimeout(timer);
  }, [isHeld, action, tone, id]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a toast stays while the pointer or the focus is on it
    <div
      className={styles.toast}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {tone === 'bad' ? (
        <CircleAlert size={16} className={styles.bad} aria-hidden />
      ) : (
        <CircleCheck size={16} className={styles.icon} aria-hidden />
      )}
      <span className={styles.title}>{title}</span>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            close(id);
            action.onClick();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" aria-label="Close" className={styles.close} onClick={() => close(id)}>
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
