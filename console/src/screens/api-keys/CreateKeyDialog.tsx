import type { NewApiKey } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './ApiKeysPage.module.css';

const DAY_MS = 86_400_000;

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'No expiry' },
] as const;

interface CreateKeyProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

export function CreateKeyDialog({ open, onClose, onCreated }: CreateKeyProps) {
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      persistent={created !== null}
      title={created === null ? 'Create an API key' : 'Copy your key now'}
      description={
        created === null
          ? undefined
          : 'It is shown only once. The server keeps a hash and cannot show the key again.'
      }
      onClose={close}
    >
      {created === null ? (
        <CreateForm
          onCancel={close}
          onCreated={(key) => {
            setCreated(key);
            onCreated();
          }}
        />
      ) : (
        <>
          <div className={styles.secret}>
            <code data-testid="api-key">{created.key}</code>
            <Copy text={created.key} label="Copy the key" />
          </div>
          <DialogActions>
            <Button kind="primary" onClick={close}>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

function CreateForm({
  onCancel,
  onCreated,
}: {
  readonly onCancel: () => void;
  readonly onCreated: (key: NewApiKey) => void;
}) {
  const [days, setDays] = useState<(typeof LIFETIMES)[number]['value']>('90');
  const { error, isBusy, run } = useAction(async (values: FormValues) => {
    const expiresAt =
      days === 'never' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    onCreated(await api.apiKeys.create({ name: (values['name'] ?? '').trim(), expiresAt }));
  });
  return (
    <Form className={styles.form} errors={fieldErrors(error)} onFormSubmit={run}>
      <TextField
        name="name"
        label="Name"
        description="What uses the key, such as “nightly pipeline”."
        required
        autoComplete="off"
      />
      <Select label="Expires after" options={LIFETIMES} value={days} onChange={setDays} />
      <FormFailure error={error} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          Create key
        </Button>
      </DialogActions>
    </Form>
  );
}
