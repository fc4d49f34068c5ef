import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { keepNext } from '../../lib/next-page.ts';
import { keepSignInState, newSignInState } from '../../lib/sign-in-state.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from './SignInPage.module.css';

const route = getRouteApi('/sign-in');

/** Finds the identity provider of the person's organization by the domain of the address, and goes there. */
export function SingleSignOnStep({ onBack }: { readonly onBack: () => void }) {
  const { next, email: knownEmail } = route.useSearch();
  const [isUnknown, setUnknown] = useState(false);
  const discover = useAction(async (values: FormValues) => {
    setUnknown(false);
    const { loginUrl } = await api.saml.discover({ email: (values['email'] ?? '').trim() });
    setUnknown(loginUrl === null);
    if (loginUrl === null) return;
    keepNext(next);
    const state = newSignInState();
    keepSignInState(state);
    const address = new URL(loginUrl);
    address.searchParams.set('state', state);
    location.assign(address);
  });
  return (
    <Form className={styles.form} onFormSubmit={discover.run}>
      <TextField
        name="email"
        label="Work e-mail"
        description="Its domain leads to the identity provider of your organization."
        type="email"
        autoComplete="username"
        required
        autoFocus
        defaultValue={knownEmail ?? ''}
      />
      <FormError>
        {isUnknown
          ? 'There is no single sign-on for this domain. Sign in with your password, or ask your administrator for the sign-in link.'
          : discover.error !== null && errorText(discover.error)}
      </FormError>
      <Button kind="primary" wide type="submit" busy={discover.isBusy}>
        Continue
      </Button>
      <Button kind="quiet" wide onClick={onBack}>
        Sign in with a password
      </Button>
    </Form>
  );
}
