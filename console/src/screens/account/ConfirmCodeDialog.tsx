import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useStayOnPage } from '../../lib/use-stay-on-page.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from './AccountPage.module.css';
import { needsPassword, proofError } from './reauthenticate.ts';

interface Proof {
  readonly code: string;
  readonly password?: string;
}

interface ConfirmCodeProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly onConfirm: (proof: Proof) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for a code before a change of the second factor, and for the password if the session is not fresh. */
export function ConfirmCodeDialog(props: ConfirmCodeProps) {
  const { title, text, confirm, danger = false, onConfirm, onClose } = props;
  const [asksPassword, setAsksPassword] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const action = useAction(async (values: FormValues) => {
    const password = values['password'] ?? '';
    const code = (values['code'] ?? '').replaceAll(/\s/g, '');
    setMessage(null);
    try {
      await onConfirm({ code, ...(password === '' ? {} : { password }) });
    } catch (error) {
      setMessage(proofError(error, asksPassword));
      if (needsPassword(error)) setAsksPassword(true);
    }
  });
  // The answer may be the only one with new recovery codes.
  useStayOnPage(action.isBusy ? 'awaited' : null);
  return (
    <Dialog open title={title} description={text} onClose={onClose} persistent={action.isBusy}>
      <Form className={styles.form} onFormSubmit={action.run}>
        <TextField
          name="code"
          label="Code"
          description="The 6 digits of your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          mono
          required
        />
        {asksPassword && (
          <TextField
            name="password"
            label="Your password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
          />
        )}
        <FormError>{message}</FormError>
        <DialogActions>
          <Button disabled={action.isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={action.isBusy}>
            {confirm}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
