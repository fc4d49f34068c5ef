import { ApiError } from '@cspm/sdk';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { forgetQuery } from '../../lib/search-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/Field.tsx';
import styles from '../../ui/Outside.module.css';
import { OutsideDone } from '../../ui/OutsideDone.tsx';
import { OutsidePage } from '../../ui/OutsidePage.tsx';
import { SignInLink } from './SignInLink.tsx';

interface ConfirmLinkProps {
  readonly title: string;
  /** What the button will do. */
  readonly text: string;
  readonly button: string;
  readonly done: string;
  readonly token: string | undefined;
  readonly onConfirm: (token: string) => Promise<void>;
  /** What to do about a link that is used up or expired. */
  readonly expired: ReactNode;
}

/** A page with one button, which sends the token of its link. Opening the link sends nothing: mail scanners do that. */
export function ConfirmLink(props: ConfirmLinkProps) {
  const { title, text, button, done, token, onConfirm, expired } = props;
  useTitle(title);
  const [isDone, setDone] = useState(false);
  const confirm = useAction(async () => {
    await onConfirm(token ?? '');
    forgetQuery();
    setDone(true);
  });
  return (
    <OutsidePage title={title}>
      {/* The address loses the token once it is used. */}
      {!isDone && token === undefined && (
        <FormError>This link is incomplete. Copy the whole link from the e-mail.</FormError>
      )}
      {isDone && <OutsideDone next={<SignInLink />}>{done}</OutsideDone>}
      {!isDone && token !== undefined && (
        <div className={styles.form}>
          <p className={styles.text}>{text}</p>
          <FormError>{confirm.error === null ? null : errorText(confirm.error)}</FormError>
          {isExpired(confirm.error) ? (
            expired
          ) : (
            <Button kind="primary" wide busy={confirm.isBusy} onClick={() => confirm.run()}>
              {button}
            </Button>
          )}
        </div>
      )}
    </OutsidePage>
  );
}

/** Whether the server no longer accepts the token of the link. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INVALID_TOKEN';
}
