import { type RefObject, useLayoutEffect } from 'react';
import { useKeptPlace } from './kept-places.ts';

/** Scrolls to where the person left off when they come back to a page by the history, if its rows are still loaded. */
export function useKeptScroll(
  scroller: RefObject<HTMLElement | null>,
  part: 'page' | 'rows',
): void {
  const kept = useKeptPlace(part, () => scroller.current?.scrollTop ?? 0);
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = kept ?? 0;
  }, [scroller, kept]);
}
