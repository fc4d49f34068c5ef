import type { MuteSelector } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId, useState } from 'react';
import { changesOf } from '../../lib/changes.ts';
import { errorText, fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { ruleCatalogueQuery } from '../../parts/rule-catalogue.ts';
import { useKeptForm } from '../../parts/use-kept-form.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
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

interface LifetimeOption {
  readonly value: Lifetime;
  readonly label: string;
}

const TARGETS = [
  { value: 'matching', label: 'Every finding that matches' },
  { value: 'one', label: 'One finding' },
] as const;

const LIFETIMES: readonly [LifetimeOption, ...LifetimeOption[]] = [
  { value: 'tenant', label: 'Default of the tenant' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'Until a date…' },
];

/** The form as the person sees it, with the members of `selectorOf`. */
interface Content {
  readonly target: string;
  readonly finding: string;
  readonly ruleId: string;
  readonly asset: string;
  readonly project: string;
  readonly label: string;
  readonly reason: string;
  readonly lifetime: string;
  readonly date: string;
}

const NOTHING: Content = {
  target: 'matching',
  finding: '',
  ruleId: '',
  asset: '',
  project: '',
  label: '',
  reason: '',
  lifetime: 'tenant',
  date: '',
};

interface CreateMuteProps {
  /** The rule that the form begins with. */
  readonly rule: string | undefined;
  readonly onClose: (isLeaving?: boolean) => void;
  readonly onCreated: () => Promise<unknown>;
}

export function CreateMuteDialog({ rule = '', onClose, onCreated }: CreateMuteProps) {
  const fresh = { ...NOTHING, ruleId: rule };
  const form = useKeptForm(
    `new mute ${rule}`,
    fresh,
    (entered) => Object.keys(changesOf(fresh, entered)).length > 0,
  );
  const close = (isLeaving = false) => {
    form.forget();
    onClose(isLeaving);
  };
  return (
    <Dialog
      open
      title="Create a mute"
      description={
        <>
          {form.notice} Matching findings of later scans are muted too. Deleting the mute brings all
          of them back.
        </>
      }
      wouldLose={form.isChanged}
      onClose={close}
    >
      <CreateForm
        content={form.content}
        onChange={(changed) => form.setContent({ ...form.content, ...changed })}
        onCancel={() => close()}
        onCreated={async (isShown) => {
          await onCreated();
          form.forget();
          if (isShown()) onClose();
          toast('Mute created');
        }}
      />
    </Dialog>
  );
}

interface FieldsProps {
  readonly content: Content;
  readonly onChange: (changed: Partial<Content>) => void;
}

interface CreateFormProps extends FieldsProps {
  readonly onCancel: () => void;
  readonly onCreated: (isShown: () => boolean) => Promise<void>;
}

function CreateForm({ content, onChange, onCancel, onCreated }: CreateFormProps) {
  const target = chosen(TARGETS, content.target);
  const lifetime = chosen(LIFETIMES, content.lifetime);
  const [isUnconditional, setUnconditional] = useState(false);
  const once = useOnce();
  const [now] = useState(() => Date.now());
  const { error, isBusy, run } = useAction(async (selector: MuteSelector | undefined, isShown) => {
    await once(api.mutes.create, {
      ...(selector === undefined
        ? { fingerprint: await fingerprintOf(content.finding) }
        : { selector }),
      reason: content.reason.trim(),
      expiresAt: expiryOf(lifetime, content.date, now),
    });
    await onCreated(isShown);
  });
  const submit = () => {
    const selector = target === 'one' ? undefined : selectorOf(content);
    setUnconditional(selector === null);
    if (selector !== null) run(selector);
  };
  return (
    <Form className={styles.form} errors={serverErrors(error)} onFormSubmit={submit}>
      <Select
        label="Mute"
        options={TARGETS}
        value={target}
        onChange={(value) => onChange({ target: value })}
      />
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
          value={content.finding}
          onChange={({ target: { value } }) => onChange({ finding: value })}
        />
      ) : (
        <Conditions content={content} onChange={onChange} />
      )}
      <TextField
        name="reason"
        label="Reason"
        rows={3}
        required
        maxLength={500}
        placeholder="A static site, public on purpose"
        value={content.reason}
        onChange={({ target: { value } }) => onChange({ reason: value })}
      />
      <div className={styles.pair}>
        <Select
          label="Ends after"
          options={LIFETIMES}
          value={lifetime}
          onChange={(value) => onChange({ lifetime: value })}
        />
        {lifetime === 'date' && (
          <TextField
            name="date"
            label="Last day"
            type="date"
            required
            min={tomorrow()}
            max={LAST_DAY}
            value={content.date}
            onChange={({ target: { value } }) => onChange({ date: value })}
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
function Conditions({ content, onChange }: FieldsProps) {
  const can = useCan();
  const id = useId();
  const field = (name: keyof MuteSelector & keyof Content) =>
    ({
      name,
      mono: true,
      autoComplete: 'off',
      value: content[name],
      onChange: ({ target: { value } }) => onChange({ [name]: value }),
    }) satisfies Partial<ComponentProps<typeof TextField>>;
  const rules = useQuery({ ...ruleCatalogueQuery, enabled: can('rules.read') });
  return (
    <>
      <TextField
        {...field('ruleId')}
        label="Rule"
        description="The id of a rule. Empty: all rules."
        list={`${id}-rules`}
      />
      <datalist id={`${id}-rules`}>
        {rules.data?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.title}
          </option>
        ))}
      </datalist>
      <TextField
        {...field('asset')}
        label="Asset"
        description="The full name; * matches any characters. Empty: all assets."
        placeholder="//storage.googleapis.com/shop-static-*"
      />
      <div className={styles.pair}>
        <TextField {...field('project')} label="Project" placeholder="All" />
        <TextField {...field('label')} label="Asset label" placeholder="env=test" />
      </div>
    </>
  );
}

/** The value that was chosen. A draft of another version of the console may have one that is gone. */
function chosen<Value extends string>(
  options: readonly [{ readonly value: Value }, ...{ readonly value: Value }[]],
  value: string,
): Value {
  return (options.find((option) => option.value === value) ?? options[0]).value;
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
