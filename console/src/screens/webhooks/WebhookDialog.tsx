import type { Webhook } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { draftKey, forgetDraft, keepDraft, keptDraft } from '../../lib/kept-drafts.ts';
import { unlessDeleted } from '../../lib/unless-deleted.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useStayOnPage } from '../../lib/use-stay-on-page.ts';
import { useConflictQuestion } from '../../parts/use-conflict-question.tsx';
import { useIdentity } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { changesOf, cleaned, contentOf, type Draft, LABELS } from './draft.ts';
import { SecretDialog } from './SecretDialog.tsx';
import styles from './Webhooks.module.css';
import { EVENTS } from './webhook-events.ts';

interface DialogProps {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}

/** Creates a webhook and shows its secret once, or changes one. */
export function WebhookDialog({ webhook, onClose, onSaved }: DialogProps) {
  const { draft, base, changes, isRestored, change, forget } = useDraft(webhook);
  const [secret, setSecret] = useState<string | null>(null);
  // Also one that somebody else has deleted, which is created again.
  const [isCreating, setCreating] = useState(webhook === null);
  const close = () => {
    forget();
    onClose();
  };
  const once = useOnce();
  const save = useAction(async () => {
    const present = webhook && (await unlessDeleted(api.webhooks.get({ id: webhook.id })));
    const content = webhook === null ? cleaned(draft) : merge(present && contentOf(present));
    if (content === null) return;
    if (present === null) {
      setCreating(true);
      const created = await once(api.webhooks.create, { ...content, enabled: webhook?.enabled });
      forget();
      // First: a list that cannot be loaded again must not hide the secret.
      setSecret(created.secret);
      await onSaved();
    } else {
      // Failing deliveries may have disabled it.
      const { id, enabled } = present;
      await api.webhooks.update({ id, ...content, enabled });
      await onSaved();
      toast('Webhook changed');
      close();
    }
  });
  const { merge, question } = useConflictQuestion({
    noun: 'webhook',
    labels: LABELS,
    opened: base,
    changes,
    onDiscard: () => {
      void onSaved();
      close();
    },
    onSave: save.run,
  });
  // Also while the call runs: its answer is the only one with the secret.
  const isAwaited = isCreating && secret === null && save.isBusy;
  useStayOnPage(isAwaited ? 'awaited' : null);
  if (secret !== null) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <Dialog
      open
      title={webhook === null ? 'Create a webhook' : 'Edit the webhook'}
      description={isRestored ? 'What you entered before is restored.' : undefined}
      size="wide"
      onClose={close}
      wouldLose={Object.keys(changes).length > 0}
      persistent={save.isBusy}
    >
      <WebhookForm
        isNew={webhook === null}
        draft={draft}
        onChange={change}
        save={save}
        onCancel={close}
      />
      {question}
    </Dialog>
  );
}

/** The content of the form. The tab keeps what was changed until it is saved or discarded: the session may end meanwhile. */
function useDraft(webhook: Webhook | null) {
  const { user, tenant } = useIdentity();
  // Read once: the draft must not move to another person who signs in.
  const [key] = useState(() =>
    draftKey(user?.id ?? '', tenant.id, `webhook ${webhook?.id ?? 'new'}`),
  );
  const [kept] = useState(() => keptDraft(key, isKeptDraft));
  const before = contentOf(webhook);
  const [draft, setDraft] = useState<Draft>(() => ({ ...before, ...kept?.draft.changes }));
  const [base] = useState<Draft>(() => ({ ...before, ...kept?.draft.base }));
  const changes = changesOf(before, draft);
  return {
    draft,
    /** What the person saw before they changed it. */
    base,
    changes,
    isRestored: kept !== null,
    change(part: Partial<Draft>) {
      const next = { ...draft, ...part };
      setDraft(next);
      const changed = changesOf(before, next);
      const names = Object.keys(changed) as (keyof Draft)[];
      const kept: KeptChanges = { changes: changed, base: partOf(base, names) };
      if (names.length > 0) keepDraft(key, kept);
      else forgetDraft(key);
    },
    forget: () => forgetDraft(key),
  };
}

/** What the tab keeps. */
interface KeptChanges {
  readonly changes: Partial<Draft>;
  /** The changed members as they were before: somebody else may change them until the form is restored. */
  readonly base: Partial<Draft>;
}

function partOf(content: Draft, names: readonly (keyof Draft)[]): Partial<Draft> {
  return Object.fromEntries(names.map((name) => [name, content[name]]));
}

function isKeptDraft(value: unknown): value is KeptChanges {
  if (typeof value !== 'object' || value === null) return false;
  const { changes, base } = value as Record<string, unknown>;
  return isPartOfDraft(changes) && isPartOfDraft(base);
}

function isPartOfDraft(value: unknown): value is Partial<Draft> {
  if (typeof value !== 'object' || value === null) return false;
  const { url = '', description = '', events = [], format } = value as Record<string, unknown>;
  return (
    typeof url === 'string' &&
    typeof description === 'string' &&
    Array.isArray(events) &&
    (format === undefined || FORMATS.some((one) => one.value === format))
  );
}

const FORMATS = [
  { value: 'standard', label: 'Signed JSON events (Standard Webhooks)' },
  { value: 'slack', label: 'Messages for an incoming webhook of Slack' },
] as const;

interface FormProps {
  readonly isNew: boolean;
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly save: Action<void>;
  readonly onCancel: () => void;
}

function WebhookForm({ isNew, draft, onChange, save, onCancel }: FormProps) {
  const { url, description, events, format } = draft;
  const [isWithoutEvent, setWithoutEvent] = useState(false);
  const submit = () => {
    setWithoutEvent(events.length === 0);
    if (events.length > 0) save.run();
  };
  const toggle = (type: Webhook['events'][number]) => {
    const others = events.filter((one) => one !== type);
    onChange({ events: others.length < events.length ? others : [...events, type] });
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
        value={url}
        onChange={({ target }) => onChange({ url: target.value })}
      />
      <TextField
        name="description"
        label="Description"
        maxLength={200}
        autoComplete="off"
        value={description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <Select
        label="Format"
        options={FORMATS}
        value={format}
        onChange={(one) => onChange({ format: one })}
      />
      <fieldset className={styles.events}>
        <legend>Events</legend>
        {EVENTS.map(({ type, text }) => (
          <label key={type} className={styles.event}>
            <input type="checkbox" checked={events.includes(type)} onChange={() => toggle(type)} />
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
        <Button disabled={save.isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={save.isBusy}>
          {isNew ? 'Create webhook' : 'Save'}
        </Button>
      </DialogActions>
    </Form>
  );
}
