import { useEffect, useRef, useState } from 'react';
import {
  draftKey,
  forgetDraft,
  type KeptDraft,
  keepDraft,
  keptDraft,
} from '../../lib/kept-drafts.ts';
import { useIdentity } from '../../queries.ts';
import { type Draft, isDraft, isSame } from './draft.ts';

interface DraftKeeper {
  /** Unsaved changes of an earlier visit; null: there are none. */
  readonly offer: KeptDraft<Draft> | null;
  /** Withdraws the offer, because the person has restored the draft. */
  readonly settle: () => void;
  /** Withdraws the offer and forgets the draft. */
  readonly discard: () => void;
}

/** Keeps the unsaved changes of a rule in the tab, and offers those of an earlier visit. */
export function useKeptDraft(
  rule: string,
  { draft, isDirty }: { readonly draft: Draft; readonly isDirty: boolean },
): DraftKeeper {
  const { user, tenant } = useIdentity();
  // Read once: the draft must not move to another person who signs in.
  const [key] = useState(() => draftKey(user?.id ?? '', tenant.id, rule));
  const [offer, setOffer] = useState(() => {
    const kept = keptDraft(key, isDraft);
    return kept === null || isSame(kept.draft, draft) ? null : kept;
  });
  const wasDirty = useRef(false);
  useEffect(() => {
    if (isDirty) keepDraft(key, draft);
    // Saved, or changed back. Before the first change, the draft of an earlier visit stays.
    else if (wasDirty.current) forgetDraft(key);
    wasDirty.current = isDirty;
  }, [key, draft, isDirty]);
  const settle = () => setOffer(null);
  return {
    offer,
    settle,
    discard: () => {
      settle();
      forgetDraft(key);
    },
  };
}
