import type { Finding, Page } from '@cspm/sdk';
import {
  type InfiniteData,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { KEPT_FRESH } from '../../queries.ts';
import { api } from '../../session.ts';
import { type FindingsSearch, filtersOf } from './search.ts';

/** Rows of a page: one request shows several screens full. */
export const PAGE_SIZE = 200;
const TREND_FRESH_MS = 10 * 60_000;
const TREND_DAYS = 30;
const DAY_MS = 86_400_000;

/** A list that is loaded again begins again with its first page: reading all its pages would cost a request for each. */
const FIRST_PAGE = { pages: 1 };

export const LIST_KEY = ['findings', 'list'];
export const SUMMARY_KEY = ['findings', 'summary'];
/** The first part of the key of how a list differs from the server. */
export const CHANGES_KEY = 'findings-changes';

/** The findings that match the search, page by page. */
export function useFindingsList(search: FindingsSearch) {
  const { open: _, by: _by, ...asked } = search;
  const filters = filtersOf(asked);
  const list = useInfiniteQuery({
    ...FIRST_PAGE,
    queryKey: [...LIST_KEY, asked],
    queryFn: async ({ pageParam, signal }): Promise<LoadedPage> => {
      const page = await api.findings.list(
        { ...filters, sort: asked.sort, cursor: pageParam, limit: PAGE_SIZE },
        { signal },
      );
      return { ...page, loadedAt: Date.now() };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    meta: { isCompared: true },
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  return { list, rows };
}

/**
 * The counts of the findings that match the search.
 * @param isHeld keeps them as they are: all matches are selected, and the selection says how many.
 */
export function useFindingsSummary(search: FindingsSearch, isHeld: boolean) {
  const { open: _, by: _by, sort: _sort, ...asked } = search;
  return useQuery({
    queryKey: [...SUMMARY_KEY, asked],
    queryFn: ({ signal }) => api.findings.summary(filtersOf(asked), { signal }),
    placeholderData: keepPreviousData,
    meta: isHeld ? {} : KEPT_FRESH,
  });
}

/** One finding, for an address that names one that is not in the list. */
export function useFinding(id: string | undefined, known: Finding | undefined) {
  return useQuery({
    queryKey: ['findings', 'one', id],
    queryFn: () => api.findings.get({ id: id ?? '' }),
    enabled: id !== undefined && known === undefined,
    meta: KEPT_FRESH,
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
  meta: { reloadAfterMs: TREND_FRESH_MS },
});

interface LoadedPage extends Page<Finding> {
  /** When the API answered: the same for as long as the page is only changed here. */
  readonly loadedAt: number;
}

export type Pages = InfiniteData<LoadedPage>;
