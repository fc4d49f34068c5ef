import type { Role } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './PeoplePage.module.css';

interface InviteProps {
  /** The roles that the person may give. */
  readonly roles: readonly Role[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** The role with the fewest rights that is of use. */
const DEFAULT_ROLE = 'viewer';

export function InviteDialog({ roles, onClose, onDone }: InviteProps) {
  const [role, setRole] = useState(DEFAULT_ROLE);
  const invite = useAction(async (values: FormValues) => {
    const name = (values['name'] ?? '').trim();
    const email = (values['email'] ?? '').trim();
    await api.users.create({ email, role, ...(name === '' ? {} : { name }) });
    onClose();
    toast('Invitation sent');
    await onDone();
  });
  return (
    <Dialog
      open
      title="Invite somebody"
      description="They get a mail with a link that is valid for 7 days."
      onClose={onClose}
    >
      <Form className={styles.form} errors={fieldErrors(invite.error)} onFormSubmit={invite.run}>
        <TextField name="email" label="E-mail" type="email" autoComplete="off" required />
        <TextField name="name" label="Name" autoComplete="off" maxLength={100} />
        <Select
          label="Role"
          options={roles.map(({ name }) => ({ value: name, label: name }))}
          value={role}
          onChange={setRole}
        />
        <FormFailure error={invite.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={invite.isBusy}>
            Send invitation
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
