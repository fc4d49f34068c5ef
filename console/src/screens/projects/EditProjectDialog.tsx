import type { Project } from '@cspm/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './Projects.module.css';

interface EditProps {
  readonly open: boolean;
  readonly project: Project;
  readonly onClose: () => void;
}

export function EditProjectDialog({ open, project, onClose }: EditProps) {
  return (
    <Dialog open={open} title={`Edit “${project.name}”`} onClose={onClose}>
      <EditForm project={project} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ project, onClose }: Omit<EditProps, 'open'>) {
  const queryClient = useQueryClient();
  const { error, isBusy, run } = useAction(async (values: FormValues, isShown) => {
    const description = (values['description'] ?? '').trim();
    await api.projects.update({
      name: project.name,
      description: description === '' ? null : description,
    });
    await queryClient.invalidateQueries({ queryKey: ['projects'] });
    toast('Project changed');
    if (isShown()) onClose();
  });
  return (
    <Form className={styles.form} errors={fieldErrors(error)} onFormSubmit={run}>
      <TextField
        name="description"
        label="Description"
        rows={3}
        maxLength={500}
        defaultValue={project.description ?? ''}
      />
      <FormFailure error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          Save
        </Button>
      </DialogActions>
    </Form>
  );
}
