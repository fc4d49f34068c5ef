import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText, fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useTitle } from '../../lib/use-title.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from '../../ui/Outside.module.css';
import { OutsideDone } from '../../ui/OutsideDone.tsx';
import { OutsidePage } from '../../ui/OutsidePage.tsx';

const route = getRouteApi('/forgotten-password');

/** Requests a mail with a link that sets a new password. The answer is the same for an unknown address. */
export function ForgottenPasswordPage() {
  useTitle('Forgotten password');
  const { email: known } = route.useSearch();
  const [email, setEmail] = useState<string | null>(null);
  const request = useAction(async (values: FormValues) => {
    const address = (values['email'] ?? '').trim();
    await api.auth.forgotPassword({ email: address });
    setEmail(address);
  });
  return (
    <OutsidePage
      title={email === null ? 'Forgotten password' : 'Check your mail'}
      footer={
        <Link to="/sign-in" className={styles.link}>
          Back to sign-in
        </Link>
      }
    >
      {email === null ? (
        <Form
          className={styles.form}
          errors={fieldErrors(request.error)}
          onFormSubmit={request.run}
        >
          <TextField
            name="email"
            label="E-mail"
            description="We send you a link that sets a new password."
            type="email"
            autoComplete="username"
            defaultValue={known ?? ''}
            required
            autoFocus
          />
          <FormError>{request.error === null ? null : errorText(request.error)}</FormError>
          <Button kind="primary" wide type="submit" busy={request.isBusy}>
            Send the link
          </Button>
        </Form>
      ) : (
        <OutsideDone>
          If <b>{email}</b> has an account, a mail with a link is on its way.
        </OutsideDone>
      )}
    </OutsidePage>
  );
}
