import type { Profile, Rule } from '@cspm/sdk';
import { useMemo, useRef, useState } from 'react';
import { changesOf } from '../../lib/changes.ts';
import { fieldErrors } from '../../lib/error-text.ts';
import { plural } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Once, useOnce } from '../../lib/use-once.ts';
import { LeavePrompt } from '../../parts/LeavePrompt.tsx';
import { useConflictQuestion } from '../../parts/use-conflict-question.tsx';
import { queryClient } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { TokenField } from '../../ui/TokenField.tsx';
import styles from './profiles.module.css';
import { profilesQuery } from './profiles-query.ts';
import { RuleList } from './RuleList.tsx';
import {
  type Definition,
  type Draft,
  definitionIn,
  definitionOf,
  parameterField,
  parametersOf,
  selectRules,
  suggestionsOf,
} from './selection.ts';
import { useProfileDraft } from './use-profile-draft.ts';

const PREFIX = 'custom:';

/** The names of the members of a definition. */
const LABELS: Readonly<Record<keyof Definition, string>> = {
  include: 'Include',
  exclude: 'Exclude',
  parameters: 'Parameters',
};

interface ProfileFormProps {
  /** Null: a new profile. */
  readonly profile: Profile | null;
  readonly rules: readonly Rule[];
  readonly profiles: readonly Profile[];
  /** @param once lets a profile be created once. */
  readonly onSave: (name: string, definition: Definition, once: Once) => Promise<unknown>;
  /** Closes the form. Not called if it was left meanwhile. */
  readonly onSaved: (name: string) => void;
  readonly onCancel: () => void;
}

/** Name, selectors and parameters of a profile beside the rules that it selects. */
export function ProfileForm(props: ProfileFormProps) {
  const { rules, profiles, onSave, onSaved, onCancel } = props;
  // The list may be loaded again while the form is open.
  const [profile] = useState(props.profile);
  const { draft, opened, isChanged, isRestored, change, forget } = useProfileDraft(profile);
  const { include, exclude } = draft;
  const mayLeave = useRef(false);
  const [isEmpty, setEmpty] = useState(false);
  const others = useMemo(
    () => profiles.filter(({ name }) => name !== profile?.name),
    [profiles, profile],
  );
  const suggestions = useMemo(() => suggestionsOf(rules, others), [rules, others]);
  const selected = useMemo(
    () => selectRules(rules, others, include, exclude),
    [rules, others, include, exclude],
  );
  const once = useOnce();
  const { error, isBusy, run } = useAction(async (_, isShown) => {
    const present = profile && (await storedDefinition(profile.name));
    const merged = profile === null ? definition : merge(present);
    if (merged === null) return;
    // A new profile leads to its page as soon as it is saved.
    mayLeave.current = true;
    try {
      const name = profile?.name ?? PREFIX + draft.name.trim().replace(/^custom:/, '');
      const saved = withoutUnselected(merged);
      if (profile !== null && present === null) await once(api.profiles.create, { name, ...saved });
      await onSave(name, saved, once);
      forget();
      if (isShown()) onSaved(name);
    } catch (cause) {
      mayLeave.current = false;
      throw cause;
    }
  });
  const faults = fieldErrors(error);
  const submit = () => {
    setEmpty(include.length === 0);
    if (include.length > 0) run();
  };
  /** The API refuses parameters of rules that are not selected, which those of somebody else may be now. */
  const withoutUnselected = (merged: Definition): Definition => {
    const ids = new Set(
      selectRules(rules, others, merged.include, merged.exclude).map(({ id }) => id),
    );
    const parameters = Object.entries(merged.parameters).filter(([rule]) => ids.has(rule));
    return { ...merged, parameters: Object.fromEntries(parameters) };
  };
  const discard = () => {
    forget();
    onCancel();
  };
  const definition = definitionIn(draft, selected);
  const { merge, question } = useConflictQuestion({
    noun: 'profile',
    labels: LABELS,
    opened,
    changes: changesOf(opened, definition),
    asksAlways: true,
    onDiscard: () => {
      discard();
      void queryClient.invalidateQueries({ queryKey: profilesQuery.queryKey });
    },
    onSave: submit,
  });
  return (
    <div className={styles.columns}>
      <Form className={styles.card} errors={faults} onFormSubmit={submit}>
        {isRestored && <p role="status">What you entered before is restored.</p>}
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
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
        <TokenField
          label="Include"
          description="A rule id with * as wildcard, or severity:…, category:…, framework:…, profile:…"
          values={include}
          suggestions={suggestions}
          takesFocus={profile !== null}
          onChange={(values) => change({ include: values })}
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
          onChange={(values) => change({ exclude: values })}
          error={faultOf('exclude', exclude, faults)}
        />
        <ParameterFields
          rules={selected}
          values={draft.parameters}
          onChange={(name, text) => change({ parameters: { ...draft.parameters, [name]: text } })}
        />
        <FormFailure error={error} shown={Object.keys(faults).filter(isOfSelectors)} />
        <div className={styles.buttons}>
          {/* The page of a new profile is left, which asks first. */}
          <Button onClick={profile === null ? onCancel : discard}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {profile === null ? 'Create profile' : 'Save profile'}
          </Button>
        </div>
      </Form>
      <section className={styles.preview} aria-label="Preview">
        <h2 aria-live="polite">Selects {plural(selected.length, 'rule')}</h2>
        <RuleList rules={selected} />
      </section>
      {question}
      <LeavePrompt
        wouldLose={() => isChanged && !mayLeave.current}
        title="Leave without saving?"
        confirm="Discard changes"
        onLeave={forget}
      >
        The changes to this profile are not saved.
      </LeavePrompt>
    </div>
  );
}

/** One field for each parameter of the selected rules. Empty: the default. */
function ParameterFields({
  rules,
  values,
  onChange,
}: {
  readonly rules: readonly Rule[];
  readonly values: Draft['parameters'];
  readonly onChange: (name: string, text: string) => void;
}) {
  const fields = parametersOf(rules);
  if (fields.length === 0) return null;
  return (
    <fieldset className={styles.parameters}>
      <legend>Parameters</legend>
      {fields.map(({ rule, name, value }) => {
        const field = parameterField(rule, name);
        return (
          <TextField
            key={field}
            name={field}
            label={`${rule}: ${name}`}
            value={values[field] ?? ''}
            onChange={({ target }) => onChange(field, target.value)}
            placeholder={JSON.stringify(value)}
            mono
            autoComplete="off"
          />
        );
      })}
    </fieldset>
  );
}

/** The present definition. Null: the profile was deleted. */
async function storedDefinition(name: string): Promise<Definition | null> {
  // Not through the cache: the page would take the form of a deleted profile away.
  const { items } = await api.profiles.list();
  const profile = items.find((one) => one.name === name);
  return profile === undefined ? null : definitionOf(profile);
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
