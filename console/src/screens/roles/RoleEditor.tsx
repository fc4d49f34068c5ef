import type { Role } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Permission, useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { PERMISSION_GROUPS, PERMISSION_TEXT } from './permission-groups.ts';
import styles from './RolesPage.module.css';

interface RoleEditorProps {
  /** Null: a new role. */
  readonly role: Role | null;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** Creates a role, or changes the permissions of one. Its name cannot change. */
export function RoleEditor({ role, onClose, onDone }: RoleEditorProps) {
  const can = useCan();
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set(role?.permissions ?? []));
  const [isEmpty, setEmpty] = useState(false);
  const save = useAction(async (values: FormValues) => {
    setEmpty(chosen.size === 0);
    if (chosen.size === 0) return;
    const permissions = [...chosen];
    if (role === null) await api.roles.create({ name: (values['name'] ?? '').trim(), permissions });
    else await api.roles.update({ name: role.name, permissions });
    onClose();
    toast(role === null ? 'Role created' : 'Role changed');
    await onDone();
  });
  const toggle = (permission: Permission) => {
    const next = new Set(chosen);
    if (!next.delete(permission)) next.add(permission);
    setChosen(next);
  };
  return (
    <Dialog
      open
      size="wide"
      title={role === null ? 'Create a role' : `Edit the role ${role.name}`}
      description="You can give only permissions that you have yourself."
      onClose={onClose}
    >
      <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={save.run}>
        {role === null && (
          <TextField
            name="name"
            label="Name"
            description="Lower-case letters, digits, dot, underscore and hyphen. It cannot be changed later."
            autoComplete="off"
            maxLength={63}
            mono
            required
            check={(value) =>
              /^[a-z][a-z0-9._-]*$/.test(value.trim())
                ? null
                : 'Use a-z, 0-9, dot, underscore and hyphen, beginning with a letter.'
            }
          />
        )}
        <div className={styles.choices}>
          {PERMISSION_GROUPS.map(({ title, permissions }) => (
            <fieldset key={title}>
              <legend>{title}</legend>
              {permissions.map((permission) => (
                <label key={permission} className={styles.choice}>
                  <input
                    type="checkbox"
                    checked={chosen.has(permission)}
                    disabled={!can(permission) && !chosen.has(permission)}
                    onChange={() => toggle(permission)}
                  />
                  {PERMISSION_TEXT[permission]}
                </label>
              ))}
            </fieldset>
          ))}
        </div>
        {isEmpty ? (
          <FormError>Choose at least one permission.</FormError>
        ) : (
          <FormFailure error={save.error} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isBusy}>
            {role === null ? 'Create role' : 'Save'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
