import type { Role } from '@cspm/sdk';
import { useState } from 'react';
import { changesOf } from '../../lib/changes.ts';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useConflictQuestion } from '../../parts/use-conflict-question.tsx';
import { useKeptForm } from '../../parts/use-kept-form.ts';
import { type Permission, useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { PERMISSION_GROUPS, PERMISSION_NAMES, PERMISSION_TEXT } from './permission-groups.ts';
import styles from './RolesPage.module.css';

interface RoleEditorProps {
  /** Null: a new role. */
  readonly role: Role | null;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** Each permission, and whether a role has it. */
type Grants = Readonly<Record<Permission, boolean>>;

function grantsOf(permissions: readonly Permission[]): Grants {
  const pairs = (names: readonly Permission[], has: boolean) => names.map((name) => [name, has]);
  return Object.fromEntries([...pairs(PERMISSION_NAMES, false), ...pairs(permissions, true)]);
}

function permissionsOf(grants: Grants): Permission[] {
  return (Object.keys(grants) as Permission[]).filter((name) => grants[name]);
}

/** Creates a role, or changes the permissions of one. Its name cannot change. */
export function RoleEditor({ role, onClose, onDone }: RoleEditorProps) {
  const can = useCan();
  const stored = role?.permissions ?? [];
  const form = useKeptForm(
    `role ${role?.name ?? 'new'}`,
    { name: '', chosen: stored, opened: stored },
    (content) =>
      content.name !== '' ||
      Object.keys(changesOf(grantsOf(content.opened), grantsOf(content.chosen))).length > 0,
  );
  const { content, setContent, notice } = form;
  const [opened] = useState(() => grantsOf(content.opened));
  const chosen = grantsOf(content.chosen);
  const [isEmpty, setEmpty] = useState(false);
  const close = () => {
    form.forget();
    onClose();
  };
  const once = useOnce();
  const save = useAction(async (_, isShown) => {
    const present = role && (await presentGrants(role.name));
    const grants = role === null ? chosen : merge(present);
    if (grants === null) return;
    const permissions = permissionsOf(grants);
    setEmpty(permissions.length === 0);
    if (permissions.length === 0) return;
    const name = role?.name ?? content.name.trim();
    if (present === null) await once(api.roles.create, { name, permissions });
    else await api.roles.update({ name, permissions });
    form.forget();
    if (isShown()) onClose();
    toast(role === null ? 'Role created' : 'Role changed');
    await onDone();
  });
  const { merge, question } = useConflictQuestion({
    noun: 'role',
    labels: PERMISSION_TEXT,
    opened,
    changes: changesOf(opened, chosen),
    asksAlways: true,
    onDiscard: () => {
      close();
      void onDone();
    },
    onSave: save.run,
  });
  return (
    <Dialog
      open
      size="wide"
      title={role === null ? 'Create a role' : `Edit the role ${role.name}`}
      description={<>{notice} You can give only permissions that you have yourself.</>}
      wouldLose={form.isChanged}
      onClose={close}
    >
      <Form
        className={styles.form}
        errors={fieldErrors(save.error)}
        onFormSubmit={() => save.run()}
      >
        {role === null && (
          <TextField
            name="name"
            label="Name"
            description="Lower-case letters, digits, dot, underscore and hyphen. It cannot be changed later."
            autoComplete="off"
            maxLength={63}
            mono
            required
            value={content.name}
            onChange={({ target }) => setContent({ ...content, name: target.value })}
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
                    checked={chosen[permission]}
                    disabled={!can(permission) && !chosen[permission]}
                    onChange={({ target }) =>
                      setContent({
                        ...content,
                        chosen: permissionsOf({ ...chosen, [permission]: target.checked }),
                      })
                    }
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
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isBusy}>
            {role === null ? 'Create role' : 'Save'}
          </Button>
        </DialogActions>
      </Form>
      {question}
    </Dialog>
  );
}

/** What the role grants now. Null: it was deleted. */
async function presentGrants(name: string): Promise<Grants | null> {
  const { items } = await api.roles.list();
  const role = items.find((one) => one.name === name);
  return role === undefined ? null : grantsOf(role.permissions);
}
