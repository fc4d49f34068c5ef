import type { Profile } from '@cspm/sdk';
import { useEffect, useRef, useState } from 'react';
import { changesOf } from '../../lib/changes.ts';
import { draftKey, forgetDraft, keepDraft, keptDraft } from '../../lib/kept-drafts.ts';
import { useIsShown } from '../../lib/use-is-shown.ts';
import { useIdentity } from '../../queries.ts';
import { type Definition, type Draft, definitionOf, draftOf } from './selection.ts';

/** What the tab keeps. */
interface Kept {
  readonly draft: Draft;
  /** The definition that the person saw before they changed it: somebody else may change it until the form is restored. */
  readonly opened: Definition;
}

/** The content of the form. The tab keeps it until it is saved or discarded: the session may end meanwhile. */
export function useProfileDraft(profile: Profile | null) {
  const { user, tenant } = useIdentity();
  // Read once: the draft must not move to another person who signs in.
  const [key] = useState(() =>
    draftKey(user?.id ?? '', tenant.id, `profile ${profile?.name ?? 'new'}`),
  );
  const [kept] = useState(() => keptDraft(key, isKept)?.draft ?? null);
  const [before] = useState(() => draftOf(profile));
  const [opened] = useState(() => kept?.opened ?? definitionOf(profile));
  const [draft, setDraft] = useState(kept?.draft ?? before);
  const isChanged = Object.keys(changesOf(before, draft)).length > 0;
  const isShown = useIsShown();
  const wasChanged = useRef(false);
  useEffect(() => {
    if (isChanged) keepDraft(key, { draft, opened } satisfies Kept);
    else if (wasChanged.current) forgetDraft(key);
    wasChanged.current = isChanged;
  }, [key, draft, opened, isChanged]);
  return {
    draft,
    opened,
    isChanged,
    isRestored: kept !== null,
    change: (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part })),
    // After the form was closed, a draft of the form that was opened again stays.
    forget: () => forgetDraft(key, isShown() ? undefined : ({ draft, opened } satisfies Kept)),
  };
}

/** Whether a stored value was kept by this version of the console. */
function isKept(value: unknown): value is Kept {
  if (!isObject(value)) return false;
  const { draft, opened } = value;
  return (
    isObject(draft) &&
    typeof draft['name'] === 'string' &&
    hasLists(draft) &&
    Object.values(draft['parameters']).every((text) => typeof text === 'string') &&
    isObject(opened) &&
    hasLists(opened)
  );
}

function hasLists(value: Record<string, unknown>): value is { parameters: object } {
  const { include, exclude, parameters } = value;
  return isTexts(include) && isTexts(exclude) && isObject(parameters);
}

const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
