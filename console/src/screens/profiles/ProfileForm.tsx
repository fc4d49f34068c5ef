import type { Profile, Rule } from '@cspm/sdk';
import { useMemo, useRef, useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { plural } from '../../lib/format.ts';
import { LeavePrompt } from '../../parts/LeavePrompt.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { TokenField } from '../../ui/TokenField.tsx';
import styles from './profiles.module.css';
import { RuleList } from './RuleList.tsx';
import {
  type Definition,
  parameterField,
  parametersOf,
  selectRules,
  suggestionsOf,
} from './selection.ts';

const PREFIX = 'custom:';

interface ProfileFormProps {
  /** Null: a new profile. */
  readonly profile: Profile | null;
  readonly rules: readonly Rule[];
  readonly profiles: readonly Profile[];
  readonly onSave: (name: string, definition: Definition) => Promise<void>;
  readonly onCancel: () => void;
}

/** Name, selectors and parameters of a profile beside the rules that it selects. */
export function ProfileForm({ profile, rules, profiles, onSave, onCancel }: ProfileFormProps) {
  const [include, setInclude] = useState<readonly string[]>(profile?.definition?.include ?? []);
  const [exclude, setExclude] = useState<readonly string[]>(profile?.definition?.exclude ?? []);
  const [isChanged, setChanged] = useState(false);
  const mayLeave = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const others = useMemo(
    () => profiles.filter(({ name }) => name !== profile?.name),
    [profiles, profile],
  );
  const suggestions = useMemo(() => suggestionsOf(rules, others), [rules, others]);
  const selected = useMemo(
    () => selectRules(rules, others, include, exclude),
    [rules, others, include, exclude],
  );
  const faults = fieldErrors(error);
  const submit = async (values: FormValues) => {
    setEmpty(include.length === 0);
    if (include.length === 0) return;
    setBusy(true);
    setError(null);
    // A new profile leads to its page as soon as it is saved.
    mayLeave.current = true;
    try {
      await onSave(PREFIX + (values['name'] ?? '').trim().replace(/^custom:/, ''), {
        include,
        exclude,
        parameters: parametersOf(values),
      });
    } catch (cause) {
      mayLeave.current = false;
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.columns} onInput={() => setChanged(true)}>
      <Form className={styles.card} errors={faults} onFormSubmit={(values) => void submit(values)}>
        {profile === null && (
          <TextField
            name="name"
            label="Name"
            description="Lower-case letters, digits, dots, hyphens. The API puts custom: before it."
            required
            mono
            autoComplete="off"
            maxLength={70}
            placeholder="web-tier"
          />
        )}
        <TokenField
          label="Include"
          description="A rule id with * as wildcard, or severity:…, category:…, framework:…, profile:…"
          values={include}
          suggestions={suggestions}
          onChange={(values) => {
            setChanged(true);
            setInclude(values);
          }}
          error={
            isEmpty && include.length === 0
              ? 'Include at least one selector.'
              : faultOf('include', include, faults)
          }
        />
        <TokenField
          label="Exclude"
          description="Rules that are left out, although they are included above."
          values={exclude}
          suggestions={suggestions}
          onChange={(values) => {
            setChanged(true);
            setExclude(values);
          }}
          error={faultOf('exclude', exclude, faults)}
        />
        <ParameterFields rules={selected} profile={profile} />
        <FormFailure error={error} shown={Object.keys(faults).filter(isOfSelectors)} />
        <div className={styles.buttons}>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {profile === null ? 'Create profile' : 'Save profile'}
          </Button>
        </div>
      </Form>
      <section className={styles.preview} aria-label="Preview">
        <h2 aria-live="polite">Selects {plural(selected.length, 'rule')}</h2>
        <RuleList rules={selected} />
      </section>
      <LeavePrompt
        wouldLose={() => isChanged && !mayLeave.current}
        title="Leave without saving?"
        confirm="Discard changes"
      >
        The changes to this profile are not saved.
      </LeavePrompt>
    </div>
  );
}

/** One field for each parameter of the selected rules. Empty: the default. */
function ParameterFields({
  rules,
  profile,
}: {
  readonly rules: readonly Rule[];
  readonly profile: Profile | null;
}) {
  const fields = rules.flatMap((rule) =>
    Object.entries(rule.parameters).map(([name, value]) => ({ rule: rule.id, name, value })),
  );
  if (fields.length === 0) return null;
  return (
    <fieldset className={styles.parameters}>
      <legend>Parameters</legend>
      {fields.map(({ rule, name, value }) => {
        const own = profile?.definition?.parameters[rule]?.[name];
        return (
          <TextField
            key={`${rule} ${name}`}
            name={parameterField(rule, name)}
            label={`${rule}: ${name}`}
            defaultValue={own === undefined ? undefined : JSON.stringify(own)}
            placeholder={JSON.stringify(value)}
            mono
            autoComplete="off"
          />
        );
      })}
    </fieldset>
  );
}

const isOf = (list: string, path: string) => path === list || path.startsWith(`${list}.`);
const isOfSelectors = (path: string) => isOf('include', path) || isOf('exclude', path);

/** The faults that the server found in a list, such as in `include.2`. */
function faultOf(
  list: string,
  values: readonly string[],
  faults: Readonly<Record<string, string>>,
): string | null {
  const found = Object.entries(faults).flatMap(([path, message]) => {
    if (!isOf(list, path)) return [];
    const value = values[Number(path.slice(list.length + 1))];
    return value === undefined ? message : `${value}: ${message}`;
  });
  return found.length === 0 ? null : found.join('; ');
}
