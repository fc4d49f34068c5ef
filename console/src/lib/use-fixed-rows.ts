import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

interface FixedRows {
  /** The rows to render: from the first to before the last. */
  readonly first: number;
  /** The first row that is visible. */
  readonly top: number;
  readonly end: number;
  /** Scrolls as little as needed to show a row. */
  readonly show: (index: number) => void;
}

interface FixedRowsOptions {
  readonly count: number;
  /** The height of every row, in pixels. */
  readonly height: number;
  /** Rows rendered above and below what is visible. */
  readonly overscan: number;
  /** The rows are columns, the height is their width, and the list scrolls sideways. */
  readonly isSideways?: boolean;
}

/**
 * The rows of a long list that are near the visible part of its scroller, where all rows have one height. The component
 * renders again only when these rows change. A library that also measures rows would be a tenth of the code of the page.
 */
export function useFixedRows(
  scroller: RefObject<HTMLElement | null>,
  { count, height, overscan, isSideways = false }: FixedRowsOptions,
): FixedRows {
  const [first, setFirst] = useState(0);
  const [visible, setVisible] = useState(0);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const look = () => {
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = current;
      setFirst(Math.floor((isSideways ? scrollLeft : scrollTop) / height));
      setVisible(Math.ceil((isSideways ? clientWidth : clientHeight) / height) + 1);
    };
    // The next Tab may come before the browser reports that the focus has scrolled the list.
    const lookAtFocus = ({ target }: FocusEvent) => {
      if (target === current) return;
      (target as Element).scrollIntoView({ block: 'nearest', inline: 'nearest' });
      look();
    };
    look();
    const size = new ResizeObserver(look);
    size.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    if (isSideways) current.addEventListener('focusin', lookAtFocus);
    return () => {
      size.disconnect();
      current.removeEventListener('scroll', look);
      current.removeEventListener('focusin', lookAtFocus);
    };
  }, [scroller, height, isSideways]);
  const show = useCallback(
    (index: number) => {
      const { current } = scroller;
      if (current === null) return;
      const top = index * height;
      const bottom = top + height - current.clientHeight;
      if (current.scrollTop > top) current.scrollTop = top;
      else if (current.scrollTop < bottom) current.scrollTop = bottom;
    },
    [scroller, height],
  );
  // A shorter list may end above the place where the longer one was.
  const start = Math.min(first, Math.max(0, count - visible));
  return {
    first: Math.max(0, start - overscan),
    top: start,
    end: Math.min(count, start + visible + overscan),
    show,
  };
}
