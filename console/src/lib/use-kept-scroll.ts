import { type RefObject, useLayoutEffect } from 'react';
import { useKeptPlace } from './kept-places.ts';

/**
 * Scrolls to where the person left off when they come back to a page by the history, if its rows are still loaded.
 * @param query what is listed. Another one begins at the top.
 */
export function useKeptScroll(
  scroller: RefObject<HTMLElement | null>,
  part: 'page' | 'rows',
  query?: string,
): void {
  const kept = useKeptPlace(part, () => scroller.current?.scrollTop ?? 0, query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at the top
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = kept ?? 0;
  }, [scroller, kept, query]);
}
