import { useBlocker } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { sessionState } from '../session.ts';
import { firstUnsavedWork, watchUnsavedWork } from './unsaved-work.ts';

/**
 * Stops the person from leaving while they would lose something. The end of the session leads away in any case.
 * @param wouldLose whether the person would lose something now by leaving.
 * @returns its `status` is `blocked` while the caller is to ask.
 */
export function useLeaveBlocker(wouldLose: () => boolean) {
  const latest = useRef(wouldLose);
  // Layout effects: a dialog that was saved must be forgotten before the page goes on to another screen.
  useLayoutEffect(() => {
    latest.current = wouldLose;
  });
  const check = useCallback(() => latest.current(), []);
  useLayoutEffect(() => watchUnsavedWork(check), [check]);
  const mustAsk = () => sessionState.get() === 'signed-in' && firstUnsavedWork() === check;
  return useBlocker({
    // A page that replaces its own address stays: it has applied a filter, or closed the dialog that the address opens.
    shouldBlockFn: ({ action, current, next }) =>
      (action !== 'REPLACE' || current.pathname !== next.pathname) && mustAsk(),
    enableBeforeUnload: mustAsk,
    withResolver: true,
  });
}
