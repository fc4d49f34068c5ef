import type { NewApiKey } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useStayOnPage } from '../../lib/use-stay-on-page.ts';
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

type Lifetime = (typeof LIFETIMES)[number]['value'];

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyProps) {
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const [days, setDays] = useState<Lifetime>('90');
  const once = useOnce();
  const [now] = useState(() => Date.now());
  const create = useAction(async (values: FormValues) => {
    const name = (values['name'] ?? '').trim();
    const expiresAt =
      days === 'never' ? undefined : new Date(now + Number(days) * DAY_MS).toISOString();
    setCreated(await once(api.apiKeys.create, { name, expiresAt }));
    onCreated();
  });
  // Also while the call runs: its answer is the only one with the key.
  const reason = created !== null ? 'shown' : create.isBusy ? 'awaited' : null;
  useStayOnPage(reason);
  return (
    <Dialog
      open
      persistent={reason !== null}
      title={created === null ? 'Create an API key' : 'Copy your key now'}
      description={
        created === null
          ? undefined
          : 'It is shown only once. The server keeps a hash and cannot show the key again.'
      }
      onClose={onClose}
    >
      {created === null ? (
        <CreateForm action={create} days={days} onDays={setDays} onCancel={onClose} />
      ) : (
        <>
          <div className={styles.secret}>
            <code data-testid="api-key">{created.key}</code>
            <Copy text={created.key} label="Copy the key" />
          </div>
          <DialogActions>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

interface CreateFormProps {
  readonly action: Action<FormValues>;
  readonly days: Lifetime;
  readonly onDays: (days: Lifetime) => void;
  readonly onCancel: () => void;
}

function CreateForm({ action: { error, isBusy, run }, days, onDays, onCancel }: CreateFormProps) {
  return (
    <Form className={styles.form} errors={fieldErrors(error)} onFormSubmit={run}>
      <TextField
        name="name"
        label="Name"
        description="What uses the key, such as “nightly pipeline”."
        required
        autoComplete="off"
      />
      <Select label="Expires after" options={LIFETIMES} value={days} onChange={onDays} />
      <FormFailure error={error} />
      <DialogActions>
        <Button disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          Create key
        </Button>
      </DialogActions>
    </Form>
  );
}
