import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { errorText } from '../lib/error-text.ts';
import { identityQuery, useIdentity } from '../queries.ts';
import { api } from '../session.ts';
import type { StepUpRequest } from '../step-up.ts';
import { Button, buttonLook } from '../ui/Button.tsx';
import { Dialog, DialogActions } from '../ui/Dialog.tsx';
import { FormError, TextField } from '../ui/Field.tsx';
import { Form, type FormValues } from '../ui/Form.tsx';
import styles from './Overlays.module.css';

/** Asks for a code of the authenticator where an action requires a second factor, and then continues the action. */
export default function StepUpDialog({ request }: { readonly request: StepUpRequest }) {
  const { user } = useIdentity();
  const hasFactor = user?.twoFactorEnabled === true;
  const queryClient = useQueryClient();
  const cancel = () => request.done(false);
  useEffect(() => {
    // It may have been set up in another browser since this page was opened.
    if (!hasFactor) void queryClient.invalidateQueries({ queryKey: identityQuery.queryKey });
  }, [hasFactor, queryClient]);
  return (
    <Dialog
      open
      title="Confirm that it is you"
      description={
        hasFactor
          ? 'This action requires your second factor.'
          : 'This action requires a second factor, and your account has none. Set up an authenticator app in your account, then try again.'
      }
      onClose={cancel}
    >
      {hasFactor ? (
        <CodeForm onDone={request.done} />
      ) : (
        <DialogActions>
          <Button onClick={cancel}>Close</Button>
          <Link to="/account" {...buttonLook('primary')} onClick={cancel}>
            Open your account
          </Link>
        </DialogActions>
      )}
    </Dialog>
  );
}

function CodeForm({ onDone }: { readonly onDone: StepUpRequest['done'] }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const verify = async (values: FormValues) => {
    setBusy(true);
    setError(null);
    try {
      await api.twoFactor.verify({ code: (values['code'] ?? '').replaceAll(' ', '') });
      onDone(true);
    } catch (cause) {
      setError(errorText(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form className={styles.form} onFormSubmit={(values) => void verify(values)}>
      <TextField
        name="code"
        label="Code"
        description="The 6 digits of your authenticator app, or a recovery code."
        autoComplete="one-time-code"
        required
        mono
      />
      <FormError>{error}</FormError>
      <DialogActions>
        <Button onClick={() => onDone(false)}>Cancel</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          Confirm
        </Button>
      </DialogActions>
    </Form>
  );
}
