import { type ReactNode, useEffect, useRef, useState } from 'react';
import { changesOf } from '../lib/changes.ts';
import { useIsShown } from '../lib/use-is-shown.ts';
import { toast } from '../ui/Toasts.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';

interface QuestionOptions<Content> {
  /** What is edited: `webhook`. */
  readonly noun: string;
  /** The names of the members. */
  readonly labels: Readonly<Record<keyof Content, string>>;
  /** The content that the person saw before they changed it. The same object until it changes. */
  readonly opened: Content;
  /** The members that the person has changed. */
  readonly changes: Partial<Content>;
  /** Asks also if somebody else changed other members only, because the members have their effect together. */
  readonly asksAlways?: boolean;
  readonly onDiscard: () => void;
  /** Starts to save again, which calls `merge` again. */
  readonly onSave: () => void;
}

interface ConflictQuestion<Content> {
  /**
   * Puts the changes of the person on top of the content that is stored now.
   * @param present null: it was deleted.
   * @returns null: somebody else changed or deleted it, and the person is asked first.
   */
  readonly merge: (present: Content | null) => Content | null;
  /** To be shown beside the form. */
  readonly question: ReactNode;
}

/**
 * Keeps the changes that somebody else saved while a form was open: the form reads what is stored before it saves, and saves
 * only the members that the person changed. It asks before it overwrites a member that they changed too, and before it
 * creates again what they have deleted.
 */
export function useConflictQuestion<Content extends object>(
  options: QuestionOptions<Content>,
): ConflictQuestion<Content> {
  const { noun, labels, opened, changes, asksAlways = false, onDiscard, onSave } = options;
  /** Undefined: nothing is asked. */
  const [present, setPresent] = useState<Content | null>();
  /** What the person knows of the content. Null: that it was deleted. */
  const seen = useRef<Content | null>(opened);
  useEffect(() => {
    seen.current = opened;
  }, [opened]);
  const isShown = useIsShown();
  const ask = (now: Content | null) => {
    const verb = now === null ? 'deleted' : 'changed';
    if (isShown()) setPresent(now);
    else toast(`The ${noun} was ${verb} meanwhile. Your changes are not saved.`, { tone: 'bad' });
    return null;
  };
  return {
    merge(now) {
      if (now === null) return seen.current === null ? { ...opened, ...changes } : ask(null);
      const merged = { ...now, ...changes };
      const theirs = changesOf(seen.current ?? opened, now);
      const overwritten = Object.keys(changesOf(now, merged));
      const mustAsk = asksAlways
        ? overwritten.length > 0 && Object.keys(theirs).length > 0
        : overwritten.some((name) => name in theirs);
      return mustAsk ? ask(now) : merged;
    },
    question: present !== undefined && (
      <ConflictDialog
        noun={noun}
        labels={labels}
        theirs={present && changesOf(seen.current ?? opened, present)}
        mine={changes}
        onClose={() => setPresent(undefined)}
        onDiscard={() => {
          setPresent(undefined);
          onDiscard();
        }}
        onSave={() => {
          seen.current = present;
          setPresent(undefined);
          onSave();
        }}
      />
    ),
  };
}
