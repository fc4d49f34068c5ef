import type { Finding } from '@cspm/sdk';
import { useCallback, useState } from 'react';

/** Which findings are selected: rows by id, or everything that matches the search. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly toggle: (id: string) => void;
  /** Selects all loaded rows, or none if all of them are selected. */
  readonly toggleRows: (rows: readonly Finding[]) => void;
  readonly selectAll: (rows: readonly Finding[]) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** @param query the search whose findings are selected. Another one ends the selection. */
export function useSelection(query: string): Selection {
  const [ids, setIds] = useState(NONE);
  const [isAll, setAll] = useState(false);
  const [known, setKnown] = useState(query);
  const toggle = useCallback((id: string) => {
    setAll(false);
    setIds((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const clear = useCallback(() => {
    setAll(false);
    setIds(NONE);
  }, []);
  // The address can change without this screen: a link, a saved view, the back button.
  if (query !== known) {
    setKnown(query);
    clear();
  }
  const idsOf = (rows: readonly Finding[]) => new Set(rows.map(({ id }) => id));
  return {
    ids,
    isAll,
    toggle,
    clear,
    toggleRows: (rows) => {
      setAll(false);
      setIds(rows.every(({ id }) => ids.has(id)) ? NONE : idsOf(rows));
    },
    selectAll: (rows) => {
      setIds(idsOf(rows));
      setAll(true);
    },
  };
}
