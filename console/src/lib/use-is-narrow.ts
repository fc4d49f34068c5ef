import { useSyncExternalStore } from 'react';

/** The width (820 px at the default font size) below which the style sheets lay screens out for phones and for a large zoom. */
const narrow = matchMedia('(max-width: 51.25rem)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Whether the page is narrow, for what a style sheet alone cannot lay out. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
