import { ApiError } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { takeLostFocus } from '../../lib/take-lost-focus.ts';
import { useAction } from '../../lib/use-action.ts';
import { changePassword } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Section } from '../../ui/Section.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './AccountPage.module.css';

export function PasswordSection() {
  /** Undefined: the form has not been open yet. */
  const [isOpen, setOpen] = useState<boolean>();
  const change = useAction(async (values: FormValues) => {
    await changePassword({
      currentPassword: values['currentPassword'] ?? '',
      newPassword: values['newPassword'] ?? '',
    });
    // All sessions have ended, which leads to the sign-in page.
    toast('Password changed. Sign in with the new password.');
  });
  return (
    <Section
      title="Password"
      text="A change ends all your sessions, this one included. You sign in again with the new password."
      actions={
        !isOpen && (
          <Button ref={isOpen === false ? takeLostFocus : undefined} onClick={() => setOpen(true)}>
            Change password
          </Button>
        )
      }
    >
      {isOpen && (
        <Form
          className={`${styles.form} ${styles.narrow}`}
          errors={fieldErrors(change.error)}
          onFormSubmit={change.run}
        >
          <TextField
            name="currentPassword"
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
          />
          <TextField
            name="newPassword"
            label="New password"
            description="12 to 72 characters. A sentence is fine. Accented letters and emoji count as 2 to 4."
            type="password"
            autoComplete="new-password"
            minLength={12}
            required
          />
          {isWrongPassword(change.error) ? (
            <FormError>The current password is wrong.</FormError>
          ) : (
            <FormFailure error={change.error} />
          )}
          <div className={styles.buttons}>
            <Button kind="primary" type="submit" busy={change.isBusy}>
              Change password
            </Button>
            <Button
              onClick={() => {
                change.reset();
                setOpen(false);
              }}
            >
              Cancel
            </Button>
          </div>
        </Form>
      )}
    </Section>
  );
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INVALID_CREDENTIALS';
}
