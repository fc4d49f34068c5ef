import { Link } from '@tanstack/react-router';
import { buttonLook } from '../../ui/Button.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import styles from '../../ui/Outside.module.css';
import { OutsidePage } from '../../ui/OutsidePage.tsx';

export interface SignInFault {
  readonly title: string;
  /** What happened, and what to do next. */
  readonly text: string;
  /** Names the request in the server's logs. */
  readonly correlationId: string | undefined;
}

interface SignInFailedProps {
  readonly fault: SignInFault;
  /** The page to open after the next sign-in. */
  readonly next: string | undefined;
}

/** Says what went wrong at an identity provider, and what to do next. */
export function SignInFailed({ fault, next }: SignInFailedProps) {
  const { title, text, correlationId } = fault;
  return (
    <OutsidePage title={title}>
      <div className={styles.form}>
        <p className={styles.text} role="alert">
          {text}
        </p>
        {correlationId !== undefined && (
          <p className={styles.text}>
            Correlation id <CopyId id={correlationId} label="Copy the correlation id" />
          </p>
        )}
        <Link to="/sign-in" search={{ next }} {...buttonLook('primary')} data-wide>
          Sign in again
        </Link>
      </div>
    </OutsidePage>
  );
}
