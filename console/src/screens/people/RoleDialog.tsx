import type { Role, User } from '@cspm/sdk';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './PeoplePage.module.css';

interface RoleDialogProps {
  readonly person: User;
  readonly roles: readonly Role[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

export function RoleDialog({ person, roles, onClose, onDone }: RoleDialogProps) {
  const [role, setRole] = useState(person.role);
  const names = new Set([...roles.map(({ name }) => name), person.role]);
  const change = useAction(async (_, isShown) => {
    if (role === person.role) return onClose();
    await api.users.update({ id: person.id, role });
    if (isShown()) onClose();
    toast('Role changed');
    await onDone();
  });
  return (
    <Dialog
      open
      title={`Change the role of ${person.name ?? person.email}`}
      description="Takes effect with their next request."
      onClose={onClose}
    >
      <Form className={styles.form} onFormSubmit={() => change.run()}>
        <Select
          label="Role"
          options={[...names].map((name) => ({ value: name, label: name }))}
          value={role}
          onChange={setRole}
        />
        <FormError>{change.error === null ? null : errorText(change.error)}</FormError>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={change.isBusy}>
            Change role
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
