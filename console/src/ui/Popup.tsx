import { type ComponentProps, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import styles from './Popup.module.css';

/** The distance to the button and the least distance to the edges of the window, in pixels. */
const GAP = 6;
const MARGIN = 8;

interface PopupProps extends Omit<ComponentProps<'div'>, 'popover' | 'ref'> {
  /** The button that opened it: its place, and where the focus returns to. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly side?: 'top' | 'bottom' | undefined;
  readonly align?: 'start' | 'end' | undefined;
  /** The first control gets the focus, as soon as there is one. Lists of actions and options place it themselves. */
  readonly takesFocus?: boolean;
  /** Called for Escape, a press outside, and when the focus leaves. */
  readonly onClose: () => void;
}

/**
 * A list or form beside a button, above everything else on the page. Render it only while it is open. It stands in the
 * document where it is rendered, so the Tab key continues behind its button, and a modal dialog around it keeps it usable.
 */
export function Popup(props: PopupProps) {
  const { anchor, side = 'bottom', align = 'start', takesFocus = false, ...others } = props;
  const { onClose, className = '', ...rest } = others;
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = popup.current;
    const button = anchor.current;
    if (element === null || button === null) return;
    element.showPopover();
    const place = () => placeBeside(element, button, side, align);
    place();
    // A touch screen would open its keyboard for a field.
    let isWaiting = takesFocus && matchMedia('(pointer: fine)').matches;
    const takeFocus = () => {
      const first = isWaiting && element.querySelector<HTMLElement>('input, button');
      if (!first) return;
      isWaiting = false;
      first.focus({ preventScroll: true });
    };
    takeFocus();
    // The content can change, as when a list has been loaded.
    const resized = new ResizeObserver(() => {
      place();
      takeFocus();
    });
    resized.observe(element);
    addEventListener('resize', place);
    addEventListener('scroll', place, true);
    return () => {
      resized.disconnect();
      removeEventListener('resize', place);
      removeEventListener('scroll', place, true);
      if (element.contains(document.activeElement)) button.focus({ preventScroll: true });
    };
  }, [anchor, side, align, takesFocus]);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node &&
      (popup.current?.contains(target) === true || anchor.current?.contains(target) === true);
    const onPress = ({ target }: Event) => {
      if (!isInside(target)) close.current();
    };
    const onFocus = ({ target }: Event) => {
      if (!isInside(target)) close.current();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Otherwise the dialog around it would close too.
      event.preventDefault();
      event.stopPropagation();
      close.current();
    };
    document.addEventListener('pointerdown', onPress, true);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('pointerdown', onPress, true);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [anchor]);
  return <div {...rest} ref={popup} popover="manual" className={`${styles.popup} ${className}`} />;
}

/** Moves the popup beside the button: on the wanted side if it fits there, otherwise where there is more room. */
function placeBeside(
  popup: HTMLElement,
  button: HTMLElement,
  side: 'top' | 'bottom',
  align: 'start' | 'end',
): void {
  const at = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - at.bottom - GAP - MARGIN;
  const above = at.top - GAP - MARGIN;
  const { style } = popup;
  style.minWidth = `${at.width}px`;
  style.maxHeight = '';
  const { offsetWidth: width, offsetHeight: height } = popup;
  const isBelow =
    side === 'bottom' ? height <= below || below >= above : height > above && below > above;
  const room = Math.max(0, isBelow ? below : above);
  if (height > room) style.maxHeight = `${room}px`;
  const left = align === 'start' ? at.left : at.right - width;
  style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - width - MARGIN))}px`;
  style.top = isBelow ? `${at.bottom + GAP}px` : `${at.top - GAP - Math.min(height, room)}px`;
}
