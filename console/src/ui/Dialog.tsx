import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { errorText } from '../lib/error-text.ts';
import { takeLostFocus } from '../lib/take-lost-focus.ts';
import { useAction } from '../lib/use-action.ts';
import { useLeaveBlocker } from '../lib/use-leave-blocker.ts';
import { Button } from './Button.tsx';
import styles from './Dialog.module.css';
import { openModals } from './open-modals.ts';

interface ModalProps extends Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'onClose'> {
  /** Escape or a click outside asks to close it. */
  readonly onClose: () => void;
  /** Gets the focus first; left out: the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Escape and a click outside do not close it: it shows something that cannot be shown again. */
  readonly persistent?: boolean | undefined;
}

/** A modal dialog of the browser, open as long as it is rendered. The focus returns to where it was. */
export function Modal({
  onClose,
  initialFocus,
  persistent = false,
  className = '',
  ...rest
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const before = document.activeElement;
    element.showModal();
    openModals.set([...openModals.get(), element]);
    initialFocus?.current?.focus();
    return () => {
      openModals.set(openModals.get().filter((one) => one !== element));
      element.close();
      // What had the focus may be gone, as a row that was deleted.
      if (!before?.isConnected) document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, [initialFocus]);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const isOutside = ({ target, clientX, clientY }: PointerEvent) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return (
        target === element &&
        (clientX < left || clientX > right || clientY < top || clientY > bottom)
      );
    };
    const onPress = (event: PointerEvent) => {
      if (!persistent && isOutside(event)) close.current();
    };
    const onCancel = (event: Event) => {
      // A file field inside reports a cancelled choice with the same event.
      if (event.target !== element) return;
      event.preventDefault();
      if (!persistent) close.current();
    };
    const onKey = (event: KeyboardEvent) => {
      // Browsers do not ask again before they close a dialog on a second Escape in a row.
      if (persistent && event.key === 'Escape') event.preventDefault();
    };
    element.addEventListener('pointerdown', onPress);
    element.addEventListener('cancel', onCancel);
    element.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('pointerdown', onPress);
      element.removeEventListener('cancel', onCancel);
      element.removeEventListener('keydown', onKey);
    };
  }, [persistent]);
  return createPortal(
    <dialog {...rest} ref={dialog} tabIndex={-1} className={`${styles.modal} ${className}`} />,
    document.body,
  );
}

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  /**
   * Escape and a click outside close it too, after a question if that would lose something.
   * @param isLeaving the address changes already, so closing must not change it.
   */
  readonly onClose: (isLeaving?: boolean) => void;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** Escape and a click outside do not close it: it shows something that cannot be shown again. */
  readonly persistent?: boolean;
  /** Whether closing it loses something; left out: as soon as the person has entered something. */
  readonly wouldLose?: boolean;
  /** 440 pixels by default, 680 if it is wide. */
  readonly size?: 'small' | 'wide';
  readonly children: ReactNode;
}

/** What a person enters again in a moment: passwords, codes, and the text of a search. */
const ENTERED_AGAIN = 'input:is([type=password], [type=search], [autocomplete=one-time-code])';

/** The button whose action runs. What was entered is then on its way to the server. */
const RUNNING = 'dialog [aria-disabled]:is([data-kind=primary], [data-kind=danger])';

/** A modal dialog with a title. Escape and a click outside close it. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open && <OpenDialog {...rest} />;
}

function OpenDialog(props: Omit<DialogProps, 'open'>) {
  const { title, description, size = 'small', children, onClose, initialFocus, persistent } = props;
  const id = useId();
  const [isChanged, setChanged] = useState(false);
  const { wouldLose = isChanged } = props;
  const [isAsking, setAsking] = useState(false);
  const isDiscarded = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // Another step has replaced the control with the focus. Screen readers then read the new title and text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each title is another step
  useEffect(() => takeLostFocus(heading.current?.closest('dialog')), [title]);
  const blocker = useLeaveBlocker(
    () =>
      wouldLose && !isDiscarded.current && !persistent && document.querySelector(RUNNING) === null,
  );
  const noticeInput = ({ target, currentTarget }: FormEvent<HTMLDialogElement>) => {
    // React reports also what happens in a dialog that was opened from this one.
    const isOwn = target instanceof Element && currentTarget.contains(target);
    if (isOwn && !target.matches(ENTERED_AGAIN)) setChanged(true);
  };
  return (
    <Modal
      className={styles.popup}
      data-size={size}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-text`}
      onClose={wouldLose ? () => setAsking(true) : onClose}
      onInput={noticeInput}
      initialFocus={initialFocus}
      persistent={persistent}
    >
      <h2 ref={heading} id={`${id}-title`} className={styles.title}>
        {title}
      </h2>
      {description !== undefined && (
        <div id={`${id}-text`} className={styles.text}>
          {description}
        </div>
      )}
      {children}
      {(isAsking || blocker.status === 'blocked') && (
        <OpenConfirmDialog
          title="Discard what you entered?"
          confirm="Discard"
          danger
          onConfirm={async () => {
            // Closing the dialog may lead to another address.
            isDiscarded.current = true;
            blocker.proceed?.();
            onClose(blocker.status === 'blocked');
          }}
          onClose={() => {
            blocker.reset?.();
            setAsking(false);
          }}
        >
          What you entered in “{title}” is not saved.
        </OpenConfirmDialog>
      )}
    </Modal>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

interface ConfirmProps {
  readonly open: boolean;
  readonly title: string;
  /** What happens, in one or two sentences. */
  readonly children: ReactNode;
  /** The verb of the action: `Revoke key`. */
  readonly confirm: string;
  /** The label of the button that only closes the dialog. */
  readonly cancel?: string;
  readonly danger?: boolean;
  /**
   * Runs the action. The dialog stays open with the message if it fails, and closes if it succeeds.
   * @param isShown whether the dialog is still there: the person may have left by Back meanwhile.
   */
  readonly onConfirm: (isShown: () => boolean) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before an action. It cannot be closed while the action runs, because it shows what the action failed with. */
export function ConfirmDialog({ open, ...rest }: ConfirmProps) {
  return open && <OpenConfirmDialog {...rest} />;
}

function OpenConfirmDialog(props: Omit<ConfirmProps, 'open'>) {
  const { title, children, confirm, cancel = 'Cancel', danger = false, onConfirm, onClose } = props;
  const { isBusy, error, run } = useAction(async (_, isShown) => {
    await onConfirm(isShown);
    if (isShown()) onClose();
  });
  return (
    <Dialog open title={title} description={children} onClose={onClose} persistent={isBusy}>
      {error !== null && (
        <p role="alert" className={styles.error}>
          {errorText(error)}
        </p>
      )}
      <DialogActions>
        <Button disabled={isBusy} onClick={onClose}>
          {cancel}
        </Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={isBusy} onClick={() => run()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
