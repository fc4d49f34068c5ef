import { useRouter } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect } from 'react';

/** Where the parts of each entry of the history were scrolled to when it was left. Lost with the page. */
const places = new Map<string, number>();

/** Scrolls to where the person left off when they come back to a page by the history, if its rows are still loaded. */
export function useKeptScroll(
  scroller: RefObject<HTMLElement | null>,
  part: 'page' | 'rows',
): void {
  const router = useRouter();
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    current.scrollTop = places.get(part + keyOf(router.latestLocation)) ?? 0;
    return router.subscribe('onBeforeLoad', ({ fromLocation }) => {
      if (fromLocation !== undefined) places.set(part + keyOf(fromLocation), current.scrollTop);
    });
  }, [router, scroller, part]);
}

/** Every entry has a key of its own, except the first, whose address stands in. */
function keyOf({
  state,
  href,
}: Pick<ReturnType<typeof useRouter>['latestLocation'], 'state' | 'href'>) {
  return state.__TSR_key ?? href;
}
