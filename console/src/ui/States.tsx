import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
} from '@cspm/sdk';
import { CircleAlert, Inbox, Lock, Timer, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { errorText } from '../lib/error-text.ts';
import { useTitle } from '../lib/use-title.ts';
import { Button } from './Button.tsx';
import { CopyId } from './Copy.tsx';
import styles from './States.module.css';

interface StateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons and links. */
  readonly actions?: ReactNode;
  /** Announced at once by screen readers. */
  readonly alert?: boolean;
  /** It replaces the whole screen, heading included. */
  readonly isScreen?: boolean | undefined;
}

function State({ icon, title, children, actions, alert = false, isScreen }: StateProps) {
  const Heading = isScreen === true ? 'h1' : 'h2';
  return (
    <div className={styles.state} role={alert ? 'alert' : 'status'}>
      {isScreen === true && <DocumentTitle text={title} />}
      <span className={styles.icon}>{icon}</span>
      <Heading className={styles.title}>{title}</Heading>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** A screen that is not shown sets no title of its own. */
function DocumentTitle({ text }: { readonly text: string }) {
  useTitle(text);
  return null;
}

interface EmptyProps {
  readonly isScreen?: boolean;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly icon?: ReactNode;
}

/** There is nothing to show: says why, and what to do. */
export function EmptyState({
  icon = <Inbox size={28} strokeWidth={1.4} aria-hidden />,
  ...rest
}: EmptyProps) {
  return <State icon={icon} {...rest} />;
}

/** The person lacks a permission. */
export function Forbidden({
  permission,
  error,
}: {
  readonly permission?: string;
  readonly error?: ApiError;
}) {
  return (
    <State
      icon={<Lock size={26} strokeWidth={1.5} aria-hidden />}
      title="You do not have access to this page"
      alert
      isScreen={permission !== undefined}
    >
      <p>
        {permission === undefined
          ? errorText(error)
          : `Your role lacks the permission ${permission}.`}{' '}
        An administrator of your tenant can change your role.
      </p>
      {error !== undefined && <Correlation error={error} />}
    </State>
  );
}

interface RetryProps {
  readonly onRetry?: (() => void) | undefined;
  readonly isScreen?: boolean | undefined;
}

interface ErrorProps extends RetryProps {
  readonly error: unknown;
}

/** The state of a screen whose data could not be loaded, by the kind of error. */
export function Failure({ error, onRetry }: ErrorProps) {
  if (error instanceof RateLimitError) return <RateLimited error={error} onRetry={onRetry} />;
  if (error instanceof ForbiddenError) return <Forbidden error={error} />;
  if (error instanceof ConnectionError) return <Unreachable onRetry={onRetry} />;
  return <ErrorState error={error} onRetry={onRetry} />;
}

function ErrorState({ error, onRetry }: ErrorProps) {
  const isMissing = error instanceof NotFoundError;
  return (
    <State
      icon={<CircleAlert size={28} strokeWidth={1.4} aria-hidden />}
      title={isMissing ? 'Not found' : 'This could not be loaded'}
      alert
      actions={!isMissing && onRetry && <Button onClick={onRetry}>Try again</Button>}
    >
      <p>{errorText(error)}</p>
      {error instanceof ApiError && <Correlation error={error} />}
    </State>
  );
}

/** The server does not answer. */
export function Unreachable({ onRetry, isScreen }: RetryProps) {
  return (
    <State
      icon={<WifiOff size={28} strokeWidth={1.4} aria-hidden />}
      title="The server cannot be reached"
      alert
      isScreen={isScreen}
      actions={onRetry && <Button onClick={onRetry}>Try again</Button>}
    >
      <p>Check your connection. The page loads its data when the server answers again.</p>
    </State>
  );
}

/** Counts the seconds down until the server accepts requests again, then tries again by itself. */
function RateLimited({
  error,
  onRetry,
}: {
  readonly error: RateLimitError;
  readonly onRetry?: (() => void) | undefined;
}) {
  const [until] = useState(() => Date.now() + Math.max(1000, error.retryAfterMs ?? 0));
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const timer = setInterval(() => {
      const seconds = secondsUntil(until);
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      onRetry?.();
    }, 500);
    return () => clearInterval(timer);
  }, [until, onRetry]);
  return (
    <State icon={<Timer size={28} strokeWidth={1.4} aria-hidden />} title="Too many requests">
      <p>
        The page tries again in <b>{left} s</b>.
      </p>
    </State>
  );
}

function secondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}

/** The name of the request in the server's logs. */
function Correlation({ error }: { readonly error: ApiError }) {
  if (error.correlationId === undefined) return null;
  return (
    <p className={styles.correlation}>
      Correlation id <CopyId id={error.correlationId} label="Copy the correlation id" />
    </p>
  );
}
