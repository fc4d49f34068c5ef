import { useEffect, useRef, useState } from 'react';
import { draftKey, forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts';
import { useIsShown } from '../lib/use-is-shown.ts';
import { useIdentity } from '../queries.ts';

/**
 * The content of a form. The tab keeps it until it is saved or discarded: the session may end meanwhile. Not for secrets.
 * @param name identifies the form among those of the person.
 * @param fresh the content at first. The content that is kept must have the same members of the same types.
 * @param isChangedIn whether the person has changed something.
 */
export function useKeptForm<Content extends object>(
  name: string,
  fresh: Content,
  isChangedIn: (content: Content) => boolean,
) {
  const { user, tenant } = useIdentity();
  // Read once: the draft must not move to another person who signs in.
  const [key] = useState(() => draftKey(user?.id ?? '', tenant.id, name));
  const [kept] = useState(() => keptDraft(key, (value) => isLike(value, fresh))?.draft);
  const [content, setContent] = useState(kept ?? fresh);
  const isChanged = isChangedIn(content);
  const isShown = useIsShown();
  const [isRestored, setRestored] = useState(kept !== undefined);
  // Saved, or changed back: what is entered next is not restored.
  if (isRestored && !isChanged) setRestored(false);
  const wasChanged = useRef(false);
  useEffect(() => {
    if (isChanged) keepDraft(key, content);
    else if (wasChanged.current) forgetDraft(key);
    wasChanged.current = isChanged;
  }, [key, content, isChanged]);
  return {
    content,
    setContent,
    isChanged,
    /** What the person is to know of the content; undefined: nothing. */
    notice: isRestored ? 'What you entered before is restored.' : undefined,
    // After the form was closed, a draft of the form that was opened again stays.
    forget: () => forgetDraft(key, isShown() ? undefined : content),
  };
}

/** Whether a value has the members of a model, each of the same type. */
function isLike<Model>(value: unknown, model: Model): value is Model {
  if (typeof value !== typeof model || Array.isArray(value) !== Array.isArray(model)) return false;
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  if (typeof model !== 'object' || model === null) return true;
  const members = (value ?? {}) as Record<string, unknown>;
  return Object.entries(model).every(([name, inner]) => isLike(members[name], inner));
}
