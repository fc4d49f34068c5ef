import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { forgetQuery } from '../../lib/search-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useTitle } from '../../lib/use-title.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from '../../ui/Outside.module.css';
import { OutsideDone } from '../../ui/OutsideDone.tsx';
import { OutsidePage } from '../../ui/OutsidePage.tsx';
import { isExpired } from './ConfirmLink.tsx';
import { SignInLink } from './SignInLink.tsx';

const route = getRouteApi('/reset-password');

/** Sets a password by the link of a mail: after it was forgotten, or for the first time after an invitation. */
export function ResetPasswordPage() {
  useTitle('Choose a password');
  const { token } = route.useSearch();
  const [isDone, setDone] = useState(false);
  const reset = useAction(async (values: FormValues) => {
    await api.auth.resetPassword({ token: token ?? '', password: values['password'] ?? '' });
    forgetQuery();
    setDone(true);
  });
  return (
    <OutsidePage title="Choose a password">
      {/* The address loses the token once it is used. */}
      {!isDone && token === undefined && (
        <FormError>This link is incomplete. Copy the whole link from the e-mail.</FormError>
      )}
      {isDone && (
        <OutsideDone next={<SignInLink />}>
          Your password is set, and all your earlier sessions have ended. You can sign in now.
        </OutsideDone>
      )}
      {!isDone && token !== undefined && (
        <Form className={styles.form} errors={fieldErrors(reset.error)} onFormSubmit={reset.run}>
          <TextField
            name="password"
            label="New password"
            description="12 to 72 characters. A sentence is fine. Accented letters and emoji count as 2 to 4."
            type="password"
            autoComplete="new-password"
            minLength={12}
            required
            autoFocus
          />
          <FormFailure error={reset.error} />
          <Button kind="primary" wide type="submit" busy={reset.isBusy}>
            Set the password
          </Button>
          {isExpired(reset.error) && (
            <p className={styles.text}>
              <Link to="/forgotten-password" className={styles.link}>
                Request a new link
              </Link>
              . If you were invited and already have an account,{' '}
              <Link to="/accept-invite" search={{ token }} className={styles.link}>
                accept the invitation
              </Link>
              .
            </p>
          )}
        </Form>
      )}
    </OutsidePage>
  );
}
