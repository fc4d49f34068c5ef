import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { signIn } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from './SignInPage.module.css';
import { type Credentials, signInError } from './sign-in-error.ts';

const route = getRouteApi('/sign-in');

interface CodeStepProps {
  readonly credentials: Credentials;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

/** The second step for accounts with an authenticator. */
export function CodeStep({ credentials, onDone, onBack }: CodeStepProps) {
  const { tenant } = route.useSearch();
  const [usesRecovery, setUsesRecovery] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (values: FormValues) => {
    const code = (values['code'] ?? '').replaceAll(' ', '');
    setBusy(true);
    setError(null);
    try {
      await signIn({
        ...credentials,
        tenantId: tenant,
        ...(usesRecovery ? { recoveryCode: code } : { totp: code }),
      });
      onDone();
    } catch (cause) {
      setError(signInError(cause, 'The code is not valid. Wait for the next one and try again.'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form
      key={String(usesRecovery)}
      className={styles.form}
      onFormSubmit={(values) => void submit(values)}
    >
      {usesRecovery ? (
        <TextField
          name="code"
          label="Recovery code"
          description="Each recovery code works once. If you have none left, ask the operator of this service to remove your authenticator."
          required
          mono
          autoFocus
          autoComplete="off"
        />
      ) : (
        <TextField
          name="code"
          label="Authentication code"
          description="The 6 digits that your authenticator app shows."
          required
          mono
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          check={(value) => (/^\d{3} ?\d{3}$/.test(value.trim()) ? null : 'The code has 6 digits.')}
        />
      )}
      <FormError>{error}</FormError>
      <Button kind="primary" wide type="submit" busy={isBusy}>
        Verify
      </Button>
      <div className={styles.links}>
        <Button kind="quiet" onClick={() => setUsesRecovery(!usesRecovery)}>
          {usesRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </Form>
  );
}
