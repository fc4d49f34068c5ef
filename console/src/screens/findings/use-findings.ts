import type { Finding, Page } from '@cspm/sdk';
import {
  hashKey,
  type InfiniteData,
  keepPreviousData,
  type QueryFilters,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../session.ts';
import { type FindingsSearch, filtersOf } from './search.ts';

/** Rows of a page: one request shows several screens full. */
const PAGE_SIZE = 200;
const TREND_FRESH_MS = 10 * 60_000;
const TREND_DAYS = 30;
const DAY_MS = 86_400_000;

/** A list that is loaded again begins again with its first page: reading all its pages would cost a request for each. */
const FIRST_PAGE = { pages: 1 };

const LIST_KEY = ['findings', 'list'];
const SUMMARY_KEY = ['findings', 'summary'];

/** The findings that match the search, page by page. */
export function useFindingsList(search: FindingsSearch) {
  const { open: _, by: _by, ...asked } = search;
  const filters = filtersOf(asked);
  const list = useInfiniteQuery({
    ...FIRST_PAGE,
    queryKey: [...LIST_KEY, asked],
    queryFn: ({ pageParam, signal }) =>
      api.findings.list(
        { ...filters, sort: asked.sort, cursor: pageParam, limit: PAGE_SIZE },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  return { list, rows };
}

/** The counts of the findings that match the search. */
export function useFindingsSummary(search: FindingsSearch) {
  const { open: _, by: _by, sort: _sort, ...asked } = search;
  return useQuery({
    queryKey: [...SUMMARY_KEY, asked],
    queryFn: ({ signal }) => api.findings.summary(filtersOf(asked), { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One finding, for an address that names one that is not in the list. */
export function useFinding(id: string | undefined, known: Finding | undefined) {
  return useQuery({
    queryKey: ['findings', 'one', id],
    queryFn: () => api.findings.get({ id: id ?? '' }),
    enabled: id !== undefined && known === undefined,
  });
}

/** Open findings by severity on each of the last 30 days. */
export const trendQuery = queryOptions({
  queryKey: ['posture', 'trend', TREND_DAYS],
  queryFn: () => {
    const from = new Date(Date.now() - TREND_DAYS * DAY_MS).toISOString().slice(0, 10);
    return api.posture.trend({ from });
  },
  staleTime: TREND_FRESH_MS,
});

type Pages = InfiniteData<Page<Finding>>;

/**
 * Changes findings in the pages that are loaded, and counts again. The pages are not loaded again: that would cost one
 * request for each. The result takes the change back in the same way, and loads a shown list again if it was not
 * loaded before the change or has lost pages since.
 */
export function useChangeFindings() {
  const queryClient = useQueryClient();
  const countAgain = () => {
    // Lists that are not shown may lack the findings now; they are loaded when they are shown next.
    void queryClient.invalidateQueries({ queryKey: LIST_KEY, refetchType: 'none' });
    void queryClient.invalidateQueries({ queryKey: SUMMARY_KEY });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'groups'] });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'one'] });
    void queryClient.invalidateQueries({ queryKey: ['mutes'] });
  };
  return (ids: ReadonlySet<string>, change: (finding: Finding) => Finding | null) => {
    const before = queryClient.getQueriesData<Pages>({ queryKey: LIST_KEY });
    queryClient.setQueriesData<Pages>({ queryKey: LIST_KEY }, (data) =>
      withItems(data, (items) =>
        items.flatMap((one) => (ids.has(one.id) ? (change(one) ?? []) : one)),
      ),
    );
    countAgain();
    return () => {
      const kept = new Set<string>();
      for (const [key, data] of before) {
        const now = queryClient.getQueryData<Pages>(key);
        if (data === undefined || now === undefined) continue;
        // A list that was loaded again has fewer pages, and lacks the findings of the others.
        if (now.pages.length < data.pages.length) continue;
        kept.add(hashKey(key));
        queryClient.setQueryData<Pages>(
          key,
          withItems(now, (items, index) => restored(items, data.pages[index]?.items ?? [], ids)),
        );
      }
      countAgain();
      // A list that was first loaded after the change shows the findings as they were changed.
      const stale: QueryFilters = {
        queryKey: LIST_KEY,
        type: 'active',
        predicate: ({ queryHash }) => !kept.has(queryHash),
      };
      // Loading again alone would wait for a first load that runs, and its answer may be of before.
      void queryClient.cancelQueries(stale).then(() => queryClient.refetchQueries(stale));
    };
  };
}

function withItems(
  data: Pages | undefined,
  change: (items: readonly Finding[], index: number) => Finding[],
): Pages | undefined {
  if (data === undefined) return undefined;
  const pages = data.pages.map((page, index) => ({ ...page, items: change(page.items, index) }));
  return { ...data, pages };
}

/** The items of a page with some of its findings as they were before, each at its place. */
function restored(
  items: readonly Finding[],
  before: readonly Finding[],
  ids: ReadonlySet<string>,
): Finding[] {
  const found = items.filter(({ id }) => !ids.has(id));
  before.forEach((one, index) => {
    if (ids.has(one.id)) found.splice(index, 0, one);
  });
  return found;
}
