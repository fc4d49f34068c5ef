import type { Finding, Page } from '@cspm/sdk';
import {
  type InfiniteData,
  keepPreviousData,
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

const LIST_KEY = ['findings', 'list'];
const SUMMARY_KEY = ['findings', 'summary'];

/** The findings that match the search, page by page. */
export function useFindingsList(search: FindingsSearch) {
  const { open: _, by: _by, ...asked } = search;
  const filters = filtersOf(asked);
  const list = useInfiniteQuery({
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

/**
 * Changes findings in the pages that are loaded, and counts again. The pages are not loaded again: that would cost one
 * request for each.
 */
export function useChangeFindings() {
  const queryClient = useQueryClient();
  return (ids: ReadonlySet<string>, change: (finding: Finding) => Finding | null) => {
    queryClient.setQueriesData<InfiniteData<Page<Finding>>>({ queryKey: LIST_KEY }, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.flatMap((one) => (ids.has(one.id) ? (change(one) ?? []) : one)),
            })),
          },
    );
    // Lists that are not shown may lack the findings now; they are loaded when they are shown next.
    void queryClient.invalidateQueries({ queryKey: LIST_KEY, refetchType: 'none' });
    void queryClient.invalidateQueries({ queryKey: SUMMARY_KEY });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'groups'] });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'one'] });
    void queryClient.invalidateQueries({ queryKey: ['mutes'] });
  };
}
