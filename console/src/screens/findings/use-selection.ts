import type { Finding } from '@cspm/sdk';
import { useCallback, useMemo, useState } from 'react';

/** Which findings are selected: rows, or everything that matches the search. */
export interface Selection {
  /** The selected rows that are loaded. Actions apply to them alone, because the others may no longer match. */
  readonly rows: readonly Finding[];
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly toggle: (id: string) => void;
  /** Selects all loaded rows, or none if all of them are selected. */
  readonly toggleRows: () => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * @param query the search whose findings are selected. Another one ends the selection.
 * @param loaded the rows that are loaded. A list that is loaded again has fewer pages, and may lack some findings.
 */
export function useSelection(query: string, loaded: readonly Finding[]): Selection {
  const [picked, setPicked] = useState(NONE);
  const [isAll, setAll] = useState(false);
  const [known, setKnown] = useState(query);
  // All matches include the rows that are loaded later.
  const ids = useMemo(() => (isAll ? idsOf(loaded) : picked), [isAll, loaded, picked]);
  const toggle = useCallback(
    (id: string) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setAll(false);
      setPicked(next);
    },
    [ids],
  );
  const clear = useCallback(() => {
    setAll(false);
    setPicked(NONE);
  }, []);
  // The address can change without this screen: a link, a saved view, the back button.
  if (query !== known) {
    setKnown(query);
    clear();
  }
  const rows = useMemo(() => loaded.filter(({ id }) => ids.has(id)), [loaded, ids]);
  return {
    rows,
    ids,
    isAll,
    toggle,
    clear,
    toggleRows: () => {
      setAll(false);
      setPicked(rows.length === loaded.length ? NONE : idsOf(loaded));
    },
    selectAll: () => setAll(true),
  };
}

function idsOf(rows: readonly Finding[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id));
}
