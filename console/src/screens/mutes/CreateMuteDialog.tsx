import type { MuteSelector } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorText, fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { ruleCatalogueQuery } from '../../parts/rule-catalogue.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './MutesPage.module.css';
import {
  expiryOf,
  findingIdIn,
  fingerprintIn,
  LAST_DAY,
  type Lifetime,
  NO_CONDITION,
  selectorOf,
  tomorrow,
} from './new-mute.ts';

const TARGETS = [
  { value: 'matching', label: 'Every finding that matches' },
  { value: 'one', label: 'One finding' },
] as const;

const LIFETIMES: readonly { readonly value: Lifetime; readonly label: string }[] = [
  { value: 'tenant', label: 'Default of the tenant' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'Until a date…' },
];

interface CreateMuteProps {
  readonly open: boolean;
  /** The rule that the form begins with. */
  readonly rule: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: () => Promise<unknown>;
}

export function CreateMuteDialog({ open, rule, onClose, onCreated }: CreateMuteProps) {
  return (
    <Dialog
      open={open}
      title="Create a mute"
      description="Matching findings of later scans are muted too. Deleting the mute brings all of them back."
      onClose={onClose}
    >
      <CreateForm
        rule={rule}
        onCancel={onClose}
        onCreated={async () => {
          await onCreated();
          onClose();
          toast('Mute created');
        }}
      />
    </Dialog>
  );
}

interface CreateFormProps {
  readonly rule: string | undefined;
  readonly onCancel: () => void;
  readonly onCreated: () => Promise<void>;
}

/** What the form sends. Without a selector, the mute is for one finding. */
interface NewMute {
  readonly selector: MuteSelector | undefined;
  readonly values: FormValues;
}

function CreateForm({ rule, onCancel, onCreated }: CreateFormProps) {
  const [target, setTarget] = useState<(typeof TARGETS)[number]['value']>('matching');
  const [lifetime, setLifetime] = useState<Lifetime>('tenant');
  const [isUnconditional, setUnconditional] = useState(false);
  const { error, isBusy, run } = useAction(async ({ selector, values }: NewMute) => {
    await api.mutes.create({
      ...(selector === undefined
        ? { fingerprint: await fingerprintOf(values['finding'] ?? '') }
        : { selector }),
      reason: (values['reason'] ?? '').trim(),
      expiresAt: expiryOf(lifetime, values['date'] ?? ''),
    });
    await onCreated();
  });
  const submit = (values: FormValues) => {
    const selector = target === 'one' ? undefined : selectorOf(values);
    setUnconditional(selector === null);
    if (selector !== null) run({ selector, values });
  };
  return (
    <Form className={styles.form} errors={serverErrors(error)} onFormSubmit={submit}>
      <Select label="Mute" options={TARGETS} value={target} onChange={setTarget} />
      {target === 'one' ? (
        <TextField
          name="finding"
          label="Finding"
          description="The id, the fingerprint, or the address of the finding."
          required
          mono
          autoComplete="off"
          check={(value) =>
            fingerprintIn(value) === null && findingIdIn(value) === null
              ? 'This is neither the id nor the fingerprint of a finding.'
              : null
          }
        />
      ) : (
        <Conditions rule={rule} />
      )}
      <TextField
        name="reason"
        label="Reason"
        rows={3}
        required
        maxLength={500}
        placeholder="A static site, public on purpose"
      />
      <div className={styles.pair}>
        <Select label="Ends after" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
        {lifetime === 'date' && (
          <TextField
            name="date"
            label="Last day"
            type="date"
            required
            min={tomorrow()}
            max={LAST_DAY}
          />
        )}
      </div>
      <FormError>
        {isUnconditional ? NO_CONDITION : error === null ? null : errorText(error)}
      </FormError>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          Create mute
        </Button>
      </DialogActions>
    </Form>
  );
}

/** What a finding must be like. The suggestions are loaded when the form opens. */
function Conditions({ rule }: { readonly rule: string | undefined }) {
  const can = useCan();
  const id = useId();
  const rules = useQuery({ ...ruleCatalogueQuery, enabled: can('rules.read') });
  return (
    <>
      <TextField
        name="ruleId"
        label="Rule"
        description="The id of a rule. Empty: all rules."
        defaultValue={rule}
        list={`${id}-rules`}
        mono
        autoComplete="off"
      />
      <datalist id={`${id}-rules`}>
        {rules.data?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.title}
          </option>
        ))}
      </datalist>
      <TextField
        name="asset"
        label="Asset"
        description="The full name; * matches any characters. Empty: all assets."
        placeholder="//storage.googleapis.com/shop-static-*"
        mono
        autoComplete="off"
      />
      <div className={styles.pair}>
        <TextField name="project" label="Project" placeholder="All" mono autoComplete="off" />
        <TextField
          name="label"
          label="Asset label"
          placeholder="env=test"
          mono
          autoComplete="off"
        />
      </div>
    </>
  );
}

async function fingerprintOf(text: string): Promise<string> {
  const fingerprint = fingerprintIn(text);
  if (fingerprint !== null) return fingerprint;
  return (await api.findings.get({ id: findingIdIn(text) ?? text })).fingerprint;
}

/** The faults by the names of the fields of this form. */
function serverErrors(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([path, message]) => [
      path.replace(/^selector\./, '').replace(/^expiresAt$/, 'date'),
      message,
    ]),
  );
}
