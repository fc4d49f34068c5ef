import { ValidationError } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { toastFailure } from '../../lib/use-action.ts';
import { useIsShown } from '../../lib/use-is-shown.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import {
  type ConditionFault,
  conditionFault,
  type Definition,
  type Draft,
  definitionOf,
  type Faults,
  faultsFrom,
  isSame,
  NO_FAULTS,
} from './draft.ts';
import { RuleConflict, RuleDeleted } from './rule-conflict.ts';
import { useTrial } from './use-trial.ts';

const FIELDS_FRESH_MS = 10 * 60_000;
const PROJECTS_MAX = 100;

/** The state of a rule that is being written: its text, its faults, its trial and whether it is saved. */
export function useRuleEditor(
  saved: Draft,
  /** Saves the rule; the result is its new version. */
  onSave: (draft: Draft, definition: Definition) => Promise<number>,
) {
  const [baseline, setBaseline] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [condition, setCondition] = useState<ConditionFault | null>(null);
  const [focusFault, setFocusFault] = useState<object>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isShown = useIsShown();
  const [wasFocused, setFocused] = useState(false);

  const projects = useProjects();
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const first = projects?.find(({ inventory }) => inventory !== null)?.name;
  const project = chosen === undefined ? first : (chosen ?? undefined);

  const show = (found: Faults, isAsked: boolean) => {
    const fault = conditionFault(found);
    setFaults(found);
    setCondition(fault);
    if (fault !== null && isAsked) setFocusFault({});
  };
  const trial = useTrial(({ result }) => show(faultsFrom(result.errors), false));

  const isListed = project !== undefined && draft.assetTypes.length > 0;
  const inventory = useQuery({
    queryKey: ['custom-rule-fields', project, draft.assetTypes],
    queryFn: ({ signal }) =>
      api.customRules.fields({ project: project ?? '', assetType: draft.assetTypes }, { signal }),
    enabled: wasFocused && isListed,
    staleTime: FIELDS_FRESH_MS,
  });
  const change = (next: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...next }));
    // Only the server can tell whether a fault is still there.
    if (next.predicate !== undefined) setCondition(null);
  };
  const run = () => {
    // The title matters only when the rule is saved.
    const read = definitionOf({ ...draft, title: draft.title.trim() || 'Untitled' });
    if ('faults' in read) return show(read.faults, true);
    trial.run(read.definition, project);
  };
  /** @param replaced the version that the draft replaces. */
  const save = async (replaced = draft.version) => {
    const read = definitionOf(draft);
    if ('faults' in read) return show(read.faults, true);
    setBusy(true);
    setError(null);
    try {
      const version = await onSave({ ...draft, version: replaced }, read.definition);
      setDraft((old) => ({ ...old, version }));
      setBaseline(draft);
      show(NO_FAULTS, false);
    } catch (cause) {
      setError(cause);
      if (!isShown()) toastFailure(cause, textOf(cause));
      if (cause instanceof ValidationError) show(faultsFrom(cause.problem?.errors ?? []), true);
    } finally {
      setBusy(false);
    }
  };
  const current = useMemo(
    () => definitionOf({ ...draft, title: draft.title.trim() || 'Untitled' }),
    [draft],
  );
  const tried = trial.last;
  const isStale =
    tried !== null &&
    (!('definition' in current) ||
      JSON.stringify(current.definition) !== JSON.stringify(tried.definition));
  const isTested =
    tried !== null &&
    'definition' in current &&
    JSON.stringify(current.definition.tests) === JSON.stringify(tried.definition.tests);
  return {
    draft,
    change,
    faults,
    condition,
    focusFault,
    inventory: inventory.data,
    trial,
    isStale,
    testResults: isTested
      ? tried.result.verdicts.filter(({ expected }) => expected !== null)
      : null,
    projects,
    project,
    choose: (name: string | undefined) => setChosen(name ?? null),
    run,
    save,
    isBusy,
    error,
    isDirty: !isSame(draft, baseline),
    onFocus: () => setFocused(true),
  };
}

function textOf(cause: unknown): string | undefined {
  return cause instanceof RuleConflict || cause instanceof RuleDeleted ? cause.message : undefined;
}

export type RuleEditor = ReturnType<typeof useRuleEditor>;

/** The newest projects. Empty for people who may not read them. */
function useProjects() {
  const can = useCan();
  const mayRead = can('projects.read');
  const { data, isError } = useQuery({
    queryKey: ['projects', 'for-trial'],
    queryFn: () => api.projects.list({ limit: PROJECTS_MAX }),
    enabled: mayRead,
  });
  if (!mayRead) return NO_PROJECTS;
  return data?.items ?? (isError ? NO_PROJECTS : undefined);
}

const NO_PROJECTS: [] = [];
