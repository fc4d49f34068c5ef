import { useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { setRecent } from './set-recent.ts';

/** Where the parts of each entry of the history were when it was left. Lost with the page. */
const places = new Map<string, unknown>();

/** Browsers keep at most 100 entries. A filter replaces its entry, whose places nobody comes back to. */
const PLACES_MAX = 1_000;

/**
 * Remembers a place on the page, such as a row, for when the person comes back to it by the history.
 * @param place reads it when the person leaves.
 * @param query what is listed, if the page can list something else without being left. A place belongs to one query.
 * @returns the place at which the person left off; undefined: the page is not one that they come back to.
 */
export function useKeptPlace<Place>(
  part: 'page' | 'rows' | 'cursor',
  place: () => Place,
  query = '',
): Place | undefined {
  const router = useRouter();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query has another entry of the history
  const kept = useMemo(
    () => places.get(part + keyOf(router.latestLocation)) as Place | undefined,
    [router, part, query],
  );
  const latest = useRef(place);
  useEffect(() => {
    latest.current = place;
  });
  useLayoutEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ fromLocation }) => {
        if (fromLocation !== undefined)
          setRecent(places, part + keyOf(fromLocation), latest.current(), PLACES_MAX);
      }),
    [router, part],
  );
  return kept;
}

/** Every entry has a key of its own, except the first, whose address stands in. */
function keyOf({
  state,
  href,
}: Pick<ReturnType<typeof useRouter>['latestLocation'], 'state' | 'href'>) {
  return state.__TSR_key ?? href;
}
