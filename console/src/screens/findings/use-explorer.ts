import type { Finding } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useKeptPlace } from '../../lib/kept-places.ts';
import { useIsNarrow } from '../../lib/use-is-narrow.ts';
import { useShortcuts } from '../../lib/use-shortcuts.ts';
import { useCan } from '../../queries.ts';
import { toast } from '../../ui/Toasts.tsx';
import type { Muted, MuteTarget } from './muting.ts';
import {
  type Filters,
  type FindingsSearch,
  filtersOf,
  hasFilters,
  viewOf,
  viewQuery,
} from './search.ts';
import { trendQuery, useFinding, useFindingsList, useFindingsSummary } from './use-findings.ts';
import { useListChange } from './use-list-changes.ts';
import { type Selection, useSelection } from './use-selection.ts';

/** The most findings that the API mutes in one call: by their ids, and by a filter. */
const MAX_IDS = 1000;
const MAX_MATCHES = 5000;

const route = getRouteApi('/app/findings');

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry was added for the finding in the panel: the one before it shows the list. */
    readonly isOfPanel?: boolean | undefined;
  }
}

export type ChangeSearch = (part: Partial<FindingsSearch>, isOfPanel?: boolean) => void;
export type Explorer = ReturnType<typeof useExplorer>;

interface Results {
  readonly search: FindingsSearch;
  /** The search in text, without the finding in the panel. */
  readonly query: string;
  readonly change: ChangeSearch;
  readonly rows: readonly Finding[];
  /** Undefined until it is known for this search. */
  readonly total: number | undefined;
  readonly selection: Selection;
}

/** The state of the findings explorer: its search, the findings, the row with the cursor, and what is being muted. */
export function useExplorer() {
  const search = route.useSearch();
  const change = useChangeSearch();
  const { list, rows } = useFindingsList(search);
  const query = viewQuery(search);
  const selection = useSelection(query, rows);
  const { data: summary, isPlaceholderData: isOfSearchBefore } = useFindingsSummary(
    search,
    selection.isAll,
  );
  const trend = useTrend(search);
  const listChange = useListChange(search, list);
  const counts = isOfSearchBefore ? undefined : summary?.total;
  const total = counts && totalOf(counts, search);
  const results = { search, query, change, rows, total, selection };
  const cursor = useCursor(results);
  const mutes = useMutes(results, counts?.open);
  useExplorerShortcuts(results, cursor, mutes);
  return { ...results, summary, trend, list, listChange, cursor, mutes };
}

/**
 * Changes replace the history entry: the back button leaves the screen. Only a finding that covers the list gets an entry of
 * its own.
 */
function useChangeSearch(): ChangeSearch {
  const navigate = route.useNavigate();
  return useCallback(
    (part, isOfPanel = false) =>
      void navigate({
        search: (old: FindingsSearch) => ({ ...old, open: undefined, ...part }),
        replace: !isOfPanel,
        state: (old) => ({ isOfPanel: isOfPanel || (part.open !== undefined && old.isOfPanel) }),
      }),
    [navigate],
  );
}

/** The trend is that of the whole tenant, so it is loaded only without filters. */
function useTrend(search: FindingsSearch) {
  const isOpen = search.view === undefined || search.view === 'all';
  const isWhole = isOpen && !hasFilters({ ...search, severity: undefined });
  const trend = useQuery({ ...trendQuery, enabled: isWhole });
  return isWhole ? trend.data : undefined;
}

/** A row that the keys act on. */
interface Place {
  readonly index: number;
  /** The finding of the row, which the keys follow; undefined: the person has not moved yet. */
  readonly id?: string | undefined;
  /** The search that lists the row. With another one, the keys begin at the first row. */
  readonly query: string;
  /** The finding in the panel when the person moved to the row. With another one, the keys act on that one. */
  readonly open: string | undefined;
}

/** The row that the keys act on, and the finding in the panel. */
function useCursor({ search, query, change, rows }: Results) {
  // The back button returns to the row on which the keys acted, and follows its finding when the list is loaded again.
  const kept = useKeptPlace(
    'cursor',
    (): Place => ({ index: current, id: rows[current]?.id, query, open: undefined }),
    query,
  );
  const start: Place = kept ?? { index: 0, query, open: undefined };
  const [latest, setPlace] = useState(start);
  const place = latest.query === query ? latest : start;
  if (latest !== place) setPlace(start);
  const [openings, setOpenings] = useState(0);
  const at = rows.findIndex(({ id }) => id === search.open);
  const fetched = useFinding(search.open, rows[at]);
  const last = Math.max(0, rows.length - 1);
  const moved =
    rows[place.index]?.id === place.id ? -1 : rows.findIndex(({ id }) => id === place.id);
  if (moved >= 0) setPlace({ ...place, index: moved });
  // A list that begins again with its first page is shorter. The cursor stays where it is when more pages follow.
  else if (rows.length > 0 && place.index > last) setPlace({ ...place, index: last });
  const isInPanel = at >= 0 && place.open !== search.open;
  const current = isInPanel ? at : Math.min(place.index, last);
  const coversList = useIsNarrow() && search.open === undefined;
  const open = useCallback(
    ({ id }: Finding, index: number) => {
      setPlace({ index, id, query, open: undefined });
      setOpenings((before) => before + 1);
      change({ open: id }, coversList);
    },
    [change, query, coversList],
  );
  const isLeaving = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another finding has an entry that was not left yet
  useEffect(() => {
    isLeaving.current = false;
  }, [search.open]);
  const focus = useCallback(
    (index: number, id: string) => setPlace({ index, id, query, open: search.open }),
    [search.open, query],
  );
  return {
    /** The index of the row in the panel; negative: none, or a finding that is not in the list. */
    at,
    current,
    row: rows[current],
    opened: rows[at] ?? (search.open === undefined ? undefined : fetched.data),
    /** Why the finding of the address is not in the panel. */
    error: rows[at] === undefined ? fetched.error : null,
    retry: () => void fetched.refetch(),
    open,
    /** How often the person has opened a finding, the same one included: the panel then takes the focus. */
    openings,
    /** A row got the focus: the keys act on it. */
    focus,
    /** The panel got the focus: the keys act on its finding. */
    focusPanel: () => setPlace((old) => ({ ...old, open: undefined })),
    close() {
      setPlace({ index: current, id: rows[current]?.id, query, open: undefined });
      if (history.state.isOfPanel !== true) change({ open: undefined });
      // The browser goes back later than the next key may be pressed.
      else if (!isLeaving.current) history.back();
      isLeaving.current = history.state.isOfPanel === true;
    },
    move(by: number) {
      const next = Math.max(0, Math.min(rows.length - 1, current + by));
      setPlace({ index: next, id: rows[next]?.id, query, open: undefined });
      if (search.open !== undefined) change({ open: rows[next]?.id });
    },
  };
}

/** Loaded before anybody can mute: see `MuteDialog` and `FindingPanel`. */
const muting = () => import('./muting.ts');

/**
 * What the dialog mutes, and who may open it. Resolved findings are left out.
 * @param open how many open findings match the search. Undefined: not known yet.
 */
function useMutes({ search, selection }: Results, open: number | undefined) {
  const [target, setTarget] = useState<MuteTarget | null>(null);
  const mayMute = useCan()('findings.mute');
  const ask = (asked: MuteTarget, size: number) => {
    if (!mayMute) return;
    if (size > 0) setTarget(asked);
    else toast('Only open findings can be muted.', { tone: 'bad' });
  };
  const mute = (findings: readonly Finding[]) => {
    const mutable = findings.filter(isMutable);
    ask({ kind: 'findings', findings: mutable }, mutable.length);
  };
  /** How many of the selected findings can be muted. */
  const mutable = selection.isAll ? open : selection.rows.filter(isMutable).length;
  const most = selection.isAll ? MAX_MATCHES : MAX_IDS;
  /** How many findings can be muted at once, if more are selected. */
  const limit = (mutable ?? 0) > most ? most : undefined;
  const muteSelected = () => {
    if (limit !== undefined || mutable === undefined) return;
    if (!selection.isAll) mute(selection.rows);
    else {
      const filter: Filters = { ...filtersOf(search), status: ['open'] };
      ask({ kind: 'matches', filter, total: mutable }, mutable);
    }
  };
  const close = () => setTarget(null);
  const done = (muted: Muted) => muting().then(({ showMuted }) => showMuted(muted));
  const unmute = (finding: Finding) => muting().then((loaded) => loaded.unmute(finding));
  return { target, mayMute, mutable, limit, mute, muteSelected, unmute, done, close };
}

const isMutable = ({ status }: Finding) => status === 'open';

function useExplorerShortcuts(
  { search, selection }: Results,
  { at, current, row, opened, open, close, move }: ReturnType<typeof useCursor>,
  { mute, muteSelected }: ReturnType<typeof useMutes>,
): void {
  const isList = search.by === undefined;
  const single = isList && (opened === undefined || at >= 0) ? row : opened;
  const isSelected = selection.isAll || selection.rows.length > 0;
  useShortcuts({
    j: isList ? () => move(1) : undefined,
    k: isList ? () => move(-1) : undefined,
    Enter: isList && row ? () => open(row, current) : undefined,
    x: isList && row ? () => selection.toggle(row.id) : undefined,
    m: isSelected ? muteSelected : single && (() => mute([single])),
    Escape: () => (search.open === undefined ? selection.clear() : close()),
  });
}

/** The findings of the tab. Muted findings are part of `open`. */
function totalOf(
  { open, resolved }: { readonly open: number; readonly resolved: number },
  search: FindingsSearch,
): number {
  const view = viewOf(search);
  if (view === 'any') return open + resolved;
  return view === 'resolved' ? resolved : open;
}
