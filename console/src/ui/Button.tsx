import type { ComponentProps, ReactNode } from 'react';
import { singleKeys } from '../lib/single-keys.ts';
import styles from './ui.module.css';

type Kind = 'plain' | 'primary' | 'quiet' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: Kind;
  /** An icon without words: give it an `aria-label`. */
  readonly square?: boolean;
  /** As wide as its container. */
  readonly wide?: boolean;
  /** Shows a spinner and ignores clicks. The button keeps the focus. */
  readonly busy?: boolean;
}

export function Button({
  kind = 'plain',
  square,
  wide,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...buttonLook(kind, square, className)}
      data-wide={wide || undefined}
      aria-disabled={busy || undefined}
      {...(busy ? { onClick: (event) => event.preventDefault() } : {})}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** The look of a button for a link: `<Link {...buttonLook('primary')}>`. */
export function buttonLook(kind: Kind = 'plain', square = false, className = '') {
  return {
    className: `${styles.button} ${className}`,
    'data-kind': kind,
    'data-square': square || undefined,
  };
}

/** A key as a hint. Screen readers learn of shortcuts from the list under `?`. Keys that are turned off are not shown. */
export function Kbd({ children }: { readonly children: string }) {
  const areOn = singleKeys.use();
  if (children.length === 1 && !areOn) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd element takes no focus
    <kbd className={styles.kbd} aria-hidden="true">
      {children}
    </kbd>
  );
}

export type Tone = 'new' | 'reopened' | 'good' | 'bad' | 'warn';

export function Badge({
  tone,
  children,
}: {
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
}) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

interface HiddenProps {
  /** Its changes are announced. */
  readonly role?: 'status';
  readonly children: ReactNode;
}

/** Text for screen readers alone. */
export function Hidden({ role, children }: HiddenProps) {
  return (
    <span role={role} className={styles.hidden}>
      {children}
    </span>
  );
}
