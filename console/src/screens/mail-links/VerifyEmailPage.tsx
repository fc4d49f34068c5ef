import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from '../../ui/Outside.module.css';
import { OutsideDone } from '../../ui/OutsideDone.tsx';
import { ConfirmLink } from './ConfirmLink.tsx';

const route = getRouteApi('/verify-email');

/** Confirms the address of a new account. */
export function VerifyEmailPage() {
  const { token } = route.useSearch();
  return (
    <ConfirmLink
      title="Confirm your e-mail address"
      text="You can sign in after your address is confirmed."
      button="Confirm the address"
      done="Your address is confirmed. You can sign in now."
      token={token}
      onConfirm={(known) => api.auth.verifyEmail({ token: known })}
      expired={<Resend />}
    />
  );
}

function Resend() {
  const [message, setMessage] = useState<string | null>(null);
  const resend = useAction(async (values: FormValues) => {
    const email = (values['email'] ?? '').trim();
    setMessage((await api.auth.resendVerification({ email })).message);
  });
  if (message !== null) return <OutsideDone>{message}</OutsideDone>;
  return (
    <Form className={styles.form} onFormSubmit={resend.run}>
      <TextField
        name="email"
        label="E-mail"
        description="We send you a new link if the address is not confirmed yet."
        type="email"
        autoComplete="username"
        required
      />
      <FormError>{resend.error === null ? null : errorText(resend.error)}</FormError>
      <Button kind="primary" wide type="submit" busy={resend.isBusy}>
        Send a new link
      </Button>
    </Form>
  );
}
