import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText, fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useTitle } from '../../lib/use-title.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from '../../ui/Outside.module.css';
import { OutsideDone } from '../../ui/OutsideDone.tsx';
import { OutsidePage } from '../../ui/OutsidePage.tsx';
import { toast } from '../../ui/Toasts.tsx';

/** Registration of an account with a tenant of its own. The answer is the same for an address that has an account. */
export function RegisterPage() {
  useTitle('Create an account');
  const [email, setEmail] = useState<string | null>(null);
  return (
    <OutsidePage
      title={email === null ? 'Create an account' : 'Check your mail'}
      footer={
        <>
          Have an account?{' '}
          <Link to="/sign-in" className={styles.link}>
            Sign in
          </Link>
        </>
      }
    >
      {email === null ? <RegisterForm onDone={setEmail} /> : <Sent email={email} />}
    </OutsidePage>
  );
}

function RegisterForm({ onDone }: { readonly onDone: (email: string) => void }) {
  const register = useAction(async (values: FormValues) => {
    const email = (values['email'] ?? '').trim();
    const name = (values['name'] ?? '').trim();
    await api.auth.register({
      email,
      password: values['password'] ?? '',
      tenantName: (values['tenantName'] ?? '').trim(),
      ...(name === '' ? {} : { name }),
    });
    onDone(email);
  });
  return (
    <Form className={styles.form} errors={fieldErrors(register.error)} onFormSubmit={register.run}>
      <TextField name="name" label="Your name" autoComplete="name" maxLength={100} autoFocus />
      <TextField
        name="tenantName"
        label="Organization"
        autoComplete="organization"
        maxLength={100}
        required
      />
      <TextField name="email" label="E-mail" type="email" autoComplete="username" required />
      <TextField
        name="password"
        label="Password"
        description="12 to 72 characters. A sentence is fine. Accented letters and emoji count as 2 to 4."
        type="password"
        autoComplete="new-password"
        minLength={12}
        required
      />
      <FormFailure error={register.error} />
      <Button kind="primary" wide type="submit" busy={register.isBusy}>
        Create account
      </Button>
    </Form>
  );
}

function Sent({ email }: { readonly email: string }) {
  const resend = useAction(async () => {
    await api.auth.resendVerification({ email });
    toast('Another mail is on its way');
  });
  return (
    <>
      <OutsideDone>
        We sent a mail to <b>{email}</b>. Open its link to confirm the address, then sign in.
      </OutsideDone>
      <FormError>{resend.error === null ? null : errorText(resend.error)}</FormError>
      <Button wide busy={resend.isBusy} onClick={() => resend.run()}>
        Send the mail again
      </Button>
    </>
  );
}
