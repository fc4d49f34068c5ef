import { useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './ViewsMenu.module.css';
import { VIEWS } from './views-key.ts';

interface SaveViewProps {
  /** The search as it is stored. */
  readonly query: string;
  readonly onClose: () => void;
}

/** Saves the present search under a name. */
export function SaveViewDialog({ query, onClose }: SaveViewProps) {
  const queryClient = useQueryClient();
  const once = useOnce();
  const { error, isBusy, run } = useAction(async (values: FormValues, isShown) => {
    const name = (values['name'] ?? '').trim();
    await once(api.views.create, { name, query, shared: values['shared'] === 'on' });
    await queryClient.invalidateQueries({ queryKey: VIEWS });
    toast(`View “${name}” saved`);
    if (isShown()) onClose();
  });
  return (
    <Dialog
      open
      title="Save this view"
      description="Saves the tab, the filters, the sorting and the grouping under a name."
      onClose={onClose}
    >
      <Form className={styles.form} errors={fieldErrors(error)} onFormSubmit={run}>
        <TextField name="name" label="Name" required maxLength={100} autoComplete="off" />
        <label className={styles.shared}>
          <input type="checkbox" name="shared" />
          Share it with everybody in the tenant
        </label>
        <FormFailure error={error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            Save view
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
