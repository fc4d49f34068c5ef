import { type RefObject, useLayoutEffect } from 'react';
import { useKeptPlace } from './kept-places.ts';

/** How long a page keeps its place after it was opened, in frames: a table renders its rows in pieces. */
const FRAMES = 60;

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
    const { current } = scroller;
    if (current === null) return;
    current.scrollTop = kept ?? 0;
    if (kept !== undefined && part === 'page') return keepPlace(current, kept);
  }, [scroller, part, kept, query]);
}

/**
 * Scrolls to a place again in each frame, unless the person acts. At first there may be too few rows to scroll so far, and
 * further rows can change the widths of columns and thus the heights of the rows above.
 */
function keepPlace(scroller: HTMLElement, place: number): () => void {
  const end = new AbortController();
  const { signal } = end;
  let frames = 0;
  const scroll = () => {
    if (signal.aborted) return;
    scroller.scrollTop = place;
    frames += 1;
    if (frames === FRAMES) end.abort();
    else requestAnimationFrame(scroll);
  };
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(act, () => end.abort(), { capture: true, passive: true, signal });
  requestAnimationFrame(scroll);
  return () => end.abort();
}
