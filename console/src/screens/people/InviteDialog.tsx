import type { Role } from '@cspm/sdk';
import { changesOf } from '../../lib/changes.ts';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useKeptForm } from '../../parts/use-kept-form.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './PeoplePage.module.css';

interface InviteProps {
  /** The roles that the person may give. */
  readonly roles: readonly Role[];
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** With the role that only reads. */
const NOBODY = { email: '', name: '', role: 'viewer' };

export function InviteDialog({ roles, onClose, onDone }: InviteProps) {
  const { content, setContent, isChanged, notice, forget } = useKeptForm(
    'invitation',
    NOBODY,
    (entered) => Object.keys(changesOf(NOBODY, entered)).length > 0,
  );
  const close = () => {
    forget();
    onClose();
  };
  const role = offeredRole(roles, content.role);
  const once = useOnce();
  const invite = useAction(async (_, isShown) => {
    const name = content.name.trim();
    const email = content.email.trim();
    await once(api.users.create, { email, role, ...(name === '' ? {} : { name }) });
    forget();
    if (isShown()) onClose();
    toast('Invitation sent');
    await onDone();
  });
  return (
    <Dialog
      open
      title="Invite somebody"
      description={<>{notice} They get a mail with a link that is valid for 7 days.</>}
      wouldLose={isChanged}
      onClose={close}
    >
      <Form
        className={styles.form}
        errors={fieldErrors(invite.error)}
        onFormSubmit={() => invite.run()}
      >
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autoComplete="off"
          required
          value={content.email}
          onChange={({ target }) => setContent({ ...content, email: target.value })}
        />
        <TextField
          name="name"
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={content.name}
          onChange={({ target }) => setContent({ ...content, name: target.value })}
        />
        <Select
          label="Role"
          options={roles.map(({ name }) => ({ value: name, label: name }))}
          value={role}
          onChange={(chosen) => setContent({ ...content, role: chosen })}
        />
        <FormFailure error={invite.error} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" busy={invite.isBusy}>
            Send invitation
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The wanted role, or the one with the fewest permissions where the person may not give that one. */
function offeredRole(roles: readonly Role[], wanted: string): string {
  if (roles.some(({ name }) => name === wanted)) return wanted;
  const [least] = roles.toSorted((one, other) => one.permissions.length - other.permissions.length);
  return least?.name ?? wanted;
}
