import type { Project } from '@cspm/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../lib/error-text.ts';
import { PROJECT_NAME } from '../lib/search-params.ts';
import { useAction } from '../lib/use-action.ts';
import { useOnce } from '../lib/use-once.ts';
import { api } from '../session.ts';
import { Button } from '../ui/Button.tsx';
import { DialogActions } from '../ui/Dialog.tsx';
import { FormFailure, TextField } from '../ui/Field.tsx';
import { Form, type FormValues } from '../ui/Form.tsx';
import styles from './parts.module.css';

interface CreateProjectProps {
  /** @param isShown whether the form is still open. */
  readonly onCreated: (project: Project, isShown: boolean) => void;
  /** Left out: there is no button to cancel. */
  readonly onCancel?: () => void;
}

export function CreateProjectForm({ onCreated, onCancel }: CreateProjectProps) {
  const queryClient = useQueryClient();
  const once = useOnce();
  const { error, isBusy, run } = useAction(async (values: FormValues, isShown) => {
    const description = (values['description'] ?? '').trim();
    const created = await once(api.projects.create, {
      name: (values['name'] ?? '').trim(),
      description: description === '' ? undefined : description,
    });
    await queryClient.invalidateQueries({ queryKey: ['projects'] });
    onCreated(created, isShown());
  });
  return (
    <Form className={styles.form} errors={fieldErrors(error)} onFormSubmit={run}>
      <TextField
        name="name"
        label="Name"
        description="Lower-case letters, digits, dots, hyphens and underscores, such as “shop-prod”. It cannot be changed later."
        required
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        check={(value) =>
          PROJECT_NAME.test(value.trim())
            ? null
            : 'Use a-z, 0-9, dot, hyphen and underscore. Begin with a letter or a digit.'
        }
      />
      <TextField
        name="description"
        label="Description (optional)"
        maxLength={500}
        autoComplete="off"
      />
      <FormFailure error={error} />
      <DialogActions>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" busy={isBusy}>
          Create project
        </Button>
      </DialogActions>
    </Form>
  );
}
