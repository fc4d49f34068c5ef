import type { Webhook } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import styles from './Webhooks.module.css';
import { EVENTS, type WebhookEvent } from './webhook-events.ts';

interface DialogProps {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}

/** Creates a webhook and shows its secret once, or changes one. */
export function WebhookDialog({ webhook, onClose, onSaved }: DialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <Dialog
      open
      title={webhook === null ? 'Create a webhook' : 'Edit the webhook'}
      size="wide"
      onClose={onClose}
    >
      <WebhookForm webhook={webhook} onClose={onClose} onSaved={onSaved} onSecret={setSecret} />
    </Dialog>
  );
}

const FORMATS = [
  { value: 'standard', label: 'Signed JSON events (Standard Webhooks)' },
  { value: 'slack', label: 'Messages for an incoming webhook of Slack' },
] as const;

function WebhookForm(props: DialogProps & { readonly onSecret: (secret: string) => void }) {
  const { webhook, onClose, onSaved, onSecret } = props;
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(new Set(webhook?.events));
  const [format, setFormat] = useState<Webhook['format']>(webhook?.format ?? 'standard');
  const [isWithoutEvent, setWithoutEvent] = useState(false);
  const save = useAction(async (values: FormValues) => {
    const content = {
      url: (values['url'] ?? '').trim(),
      description: (values['description'] ?? '').trim(),
      events: EVENTS.map(({ type }) => type).filter((type) => events.has(type)),
      format,
    };
    if (webhook === null) {
      const created = await api.webhooks.create(content);
      // First: a list that cannot be loaded again must not hide the secret.
      onSecret(created.secret);
      await onSaved();
    } else {
      const { id } = webhook;
      // Somebody, or failing deliveries, may have disabled it since the list was loaded.
      const { enabled } = await api.webhooks.get({ id });
      await api.webhooks.update({ id, ...content, enabled });
      await onSaved();
      toast('Webhook changed');
      onClose();
    }
  });
  const submit = (values: FormValues) => {
    setWithoutEvent(events.size === 0);
    if (events.size > 0) save.run(values);
  };
  const toggle = (type: WebhookEvent) => {
    const next = new Set(events);
    if (!next.delete(type)) next.add(type);
    setEvents(next);
    setWithoutEvent(false);
  };
  return (
    <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={submit}>
      <TextField
        name="url"
        label="URL"
        description="An https address that everybody can reach. Events are sent to it with POST."
        required
        mono
        maxLength={2048}
        autoComplete="off"
        spellCheck={false}
        defaultValue={webhook?.url}
      />
      <TextField
        name="description"
        label="Description"
        maxLength={200}
        autoComplete="off"
        defaultValue={webhook?.description}
      />
      <Select label="Format" options={FORMATS} value={format} onChange={setFormat} />
      <fieldset className={styles.events}>
        <legend>Events</legend>
        {EVENTS.map(({ type, text }) => (
          <label key={type} className={styles.event}>
            <input type="checkbox" checked={events.has(type)} onChange={() => toggle(type)} />
            <span>
              {text} <code>{type}</code>
            </span>
          </label>
        ))}
      </fieldset>
      {isWithoutEvent ? (
        <FormError>Choose at least one event.</FormError>
      ) : (
        <FormFailure error={save.error} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={save.isBusy}>
          {webhook === null ? 'Create webhook' : 'Save'}
        </Button>
      </DialogActions>
    </Form>
  );
}
