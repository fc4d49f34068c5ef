import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KEPT_FRESH } from '../../queries.ts';
import type { ListChange } from './list-changes.ts';
import type { FindingsSearch } from './search.ts';
import { CHANGES_KEY, LIST_KEY, type useFindingsList } from './use-findings.ts';

type List = ReturnType<typeof useFindingsList>['list'];

/**
 * How the list on the server differs from the loaded one; undefined: not at all. When the page is loaded again, loaded
 * findings are replaced where they stand, but none appears, moves or goes before the person asks for it.
 */
export function useListChange(search: FindingsSearch, list: List): ListChange | undefined {
  const { open, by, ...asked } = search;
  const queryClient = useQueryClient();
  const { data } = useQuery<ListChange | null>({
    queryKey: [CHANGES_KEY, asked],
    queryFn: async ({ queryKey, signal }) => {
      const { compareList } = await import('./list-changes.ts');
      return compareList(queryClient, [...LIST_KEY, asked], {
        asked,
        open,
        known: queryClient.getQueryData<ListChange>(queryKey) ?? null,
        signal,
      });
    },
    enabled: by === undefined && list.data !== undefined && !list.isPlaceholderData,
    // The list has just been loaded.
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
    structuralSharing: false,
    meta: KEPT_FRESH,
  });
  // A list that was loaded again is another one.
  return data != null && data.loadedAt === list.data?.pages[0]?.loadedAt ? data : undefined;
}
