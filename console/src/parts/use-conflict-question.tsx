import { type ReactNode, useEffect, useRef, useState } from 'react';
import { changesOf } from '../lib/changes.ts';
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
   * @returns null: somebody else changed it, and the person is asked first.
   */
  readonly merge: (present: Content) => Content | null;
  /** To be shown beside the form. */
  readonly question: ReactNode;
}

/**
 * Keeps the changes that somebody else saved while a form was open: the form reads what is stored before it saves, and saves
 * only the members that the person changed. It asks before it overwrites a member that they changed too.
 */
export function useConflictQuestion<Content extends object>(
  options: QuestionOptions<Content>,
): ConflictQuestion<Content> {
  const { noun, labels, opened, changes, asksAlways = false, onDiscard, onSave } = options;
  const [present, setPresent] = useState<Content | null>(null);
  /** What the person knows of the content. */
  const seen = useRef(opened);
  useEffect(() => {
    seen.current = opened;
  }, [opened]);
  return {
    merge(now) {
      const merged = { ...now, ...changes };
      const theirs = changesOf(seen.current, now);
      const overwritten = Object.keys(changesOf(now, merged));
      const mustAsk = asksAlways
        ? overwritten.length > 0 && Object.keys(theirs).length > 0
        : overwritten.some((name) => name in theirs);
      if (!mustAsk) return merged;
      setPresent(now);
      return null;
    },
    question: present !== null && (
      <ConflictDialog
        noun={noun}
        labels={labels}
        theirs={changesOf(seen.current, present)}
        mine={changes}
        onClose={() => setPresent(null)}
        onDiscard={() => {
          setPresent(null);
          onDiscard();
        }}
        onSave={() => {
          seen.current = present;
          setPresent(null);
          onSave();
        }}
      />
    ),
  };
}
