import type { Finding } from '@cspm/sdk';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '../../queries.ts';
import { type FindingsSearch, filtersOf } from './search.ts';
import { CHANGES_KEY, LIST_KEY, type Pages, SUMMARY_KEY } from './use-findings.ts';

const searchOf = (list: QueryKey) => list.at(-1) as FindingsSearch;

/**
 * Changes findings in the pages that are loaded, and counts again. A list of muted findings, or of those that are not muted,
 * loses the findings that no longer belong to it. The pages are not loaded again, which would cost one request for each. The
 * result takes the change back in the same way, and loads a shown list again if it was not loaded before the change or has
 * lost pages since.
 */
export function changeFindings(
  ids: ReadonlySet<string>,
  change: (finding: Finding) => Finding,
): () => void {
  const countAgain = () => {
    // Lists that are not shown may lack the findings now; they are loaded when they are shown next.
    void queryClient.invalidateQueries({ queryKey: LIST_KEY, refetchType: 'none' });
    void queryClient.invalidateQueries({ queryKey: SUMMARY_KEY });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'groups'] });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'one'] });
    void queryClient.invalidateQueries({ queryKey: ['mutes'] });
  };
  let before: [QueryKey, Pages | undefined][] = [];
  changeLists(() => {
    before = queryClient.getQueriesData<Pages>({ queryKey: LIST_KEY });
    for (const [key, data] of before) {
      const { muted } = filtersOf(searchOf(key));
      const isListed = (one: Finding) => muted === undefined || muted === (one.muted !== null);
      const changed = (one: Finding) => (ids.has(one.id) ? [change(one)].filter(isListed) : one);
      queryClient.setQueryData<Pages>(
        key,
        withItems(data, (items) => items.flatMap(changed)),
      );
    }
  });
  countAgain();
  for (const [key, data] of before) {
    // The list may lack the findings only because they were muted or not: the person has changed the tab meanwhile.
    const isKnown = data?.pages.some(({ items }) => items.some(({ id }) => ids.has(id)));
    if (isKnown === false)
      void queryClient.invalidateQueries({ queryKey: [CHANGES_KEY, searchOf(key)] });
  }
  return () => {
    const kept = new Set<string>();
    changeLists(() => {
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
    });
    countAgain();
    // A list that was first loaded after the change shows the findings as they were changed.
    void queryClient.refetchQueries({
      queryKey: LIST_KEY,
      type: 'active',
      predicate: ({ queryHash }) => !kept.has(queryHash),
    });
  };
}

/**
 * Changes lists. Loads of lists that run began before, so their answers would undo the change: they are cancelled and
 * begun again. The table asks for a further page by itself.
 */
export function changeLists(change: () => void): void {
  const repeated = queryClient.getQueryCache().findAll({
    queryKey: LIST_KEY,
    type: 'active',
    predicate: ({ state }) => state.fetchStatus !== 'idle' && state.fetchMeta?.fetchMore == null,
  });
  void queryClient.cancelQueries({ queryKey: LIST_KEY });
  change();
  void queryClient.refetchQueries({ predicate: (query) => repeated.includes(query) });
}

export function withItems(
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
