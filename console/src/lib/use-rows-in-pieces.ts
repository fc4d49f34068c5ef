import { startTransition, useEffect, useState } from 'react';

/** Rows that a slow machine lays out within a frame or two. */
const PIECE = 40;

/**
 * How many rows of a list to render: the first ones at once, then more in each frame until all are there. Browsers lay out
 * all new rows in one task, during which the page does not react. Unlike a virtual list, the search of the browser and
 * screen readers find every row.
 */
export function useRowsInPieces(count: number): number {
  const [limit, setLimit] = useState(PIECE);
  useEffect(() => {
    // A filter left fewer rows: its end begins with the first piece again.
    if (limit > Math.max(PIECE, count)) setLimit(Math.max(PIECE, count));
    if (limit >= count) return;
    const frame = requestAnimationFrame(() => startTransition(() => setLimit(limit + PIECE)));
    return () => cancelAnimationFrame(frame);
  }, [limit, count]);
  return Math.min(limit, count);
}
