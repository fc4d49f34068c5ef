import { useCallback, useLayoutEffect, useRef } from 'react';

/** Whether the component is on the page, for what happens when a call is answered: the person may have left meanwhile. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}
