import { type Finding, NotFoundError, type Page } from '@cspm/sdk';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { count, plural } from '../../lib/format.ts';
import { api } from '../../session.ts';
import { changeLists, withItems } from './change-findings.ts';
import { type FindingsSearch, filtersOf } from './search.ts';
import { PAGE_SIZE, type Pages } from './use-findings.ts';

/** The most findings that the API lists at once. Rows behind them are not compared. */
const MAX_ROWS = 500;

/** Findings have appeared, moved or gone since the list was loaded. */
export interface ListChange {
  /** What has changed, in words. */
  readonly text: string;
  /** When the list that was compared was loaded. */
  readonly loadedAt: number | undefined;
}

interface Asked {
  readonly asked: FindingsSearch;
  /** The finding in the panel. */
  readonly open: string | undefined;
  /** The result of the comparison before. */
  readonly known: ListChange | null;
  readonly signal: AbortSignal;
}

/**
 * Loads the findings again that the list shows, with one request, and replaces them where they stand.
 * @returns null if the list has the same findings in the same order.
 */
export async function compareList(
  queryClient: QueryClient,
  key: QueryKey,
  { asked, open, known, signal }: Asked,
): Promise<ListChange | null> {
  const before = queryClient.getQueryState<Pages>(key);
  if (before?.data === undefined) return null;
  const loaded = before.data.pages.flatMap(({ items }) => items);
  const present = await api.findings.list(
    {
      ...filtersOf(asked),
      sort: asked.sort,
      limit: Math.min(MAX_ROWS, Math.max(PAGE_SIZE, loaded.length + 1)),
    },
    { signal },
  );
  const fresh = new Map(present.items.map((one) => [one.id, one]));
  const opened = loaded.find(({ id }) => id === open);
  if (opened !== undefined && !fresh.has(opened.id)) {
    fresh.set(opened.id, (await presentFinding(opened.id)) ?? opened);
  }
  // Meanwhile the list may have got another page, or the person may have muted a finding.
  if (queryClient.getQueryData(key) !== before.data) return known;
  if (loaded.length === 0 && present.items.length > 0) {
    // Nothing moves, so nobody needs to ask for it.
    void queryClient.refetchQueries({ queryKey: key, exact: true });
    return null;
  }
  const change = differences(before.data, loaded, present);
  const { data } = before;
  changeLists(() =>
    queryClient.setQueryData<Pages>(
      key,
      withItems(data, (items) => items.map((one) => fresh.get(one.id) ?? one)),
      // A list with other findings stays old, and is loaded again when the person comes back to the screen.
      change === null ? {} : { updatedAt: before.dataUpdatedAt },
    ),
  );
  if (change === null) return null;
  return { text: changeText(change), loadedAt: before.data.pages[0]?.loadedAt };
}

/** A finding that no longer matches, such as a resolved one; null: it was deleted. */
async function presentFinding(id: string): Promise<Finding | null> {
  try {
    return await api.findings.get({ id });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

interface Differences {
  /** How many of the compared findings are new in the list. */
  readonly added: number;
  /** The compared findings end before the last loaded one, so others may be new too. */
  readonly isLeast: boolean;
}

function differences(
  { pages }: Pages,
  loaded: readonly Finding[],
  { items, nextCursor }: Page<Finding>,
): Differences | null {
  const isWhole = nextCursor === null;
  const hasMore = pages.at(-1)?.nextCursor !== null;
  const isSame = items.every(({ id }, index) =>
    index < loaded.length ? loaded[index]?.id === id : hasMore,
  );
  if (isSame && (!isWhole || items.length >= loaded.length)) return null;
  const known = new Set(loaded.map(({ id }) => id));
  // What follows the last known finding may only not have been loaded yet.
  const end = hasMore ? items.findLastIndex(({ id }) => known.has(id)) : items.length;
  const added = items.slice(0, Math.max(0, end)).filter(({ id }) => !known.has(id)).length;
  const reachesEnd = hasMore && items.some(({ id }) => id === loaded.at(-1)?.id);
  return { added, isLeast: !isWhole && !reachesEnd };
}

function changeText({ added, isLeast }: Differences): string {
  if (added === 0) return 'The list has changed';
  return isLeast ? `${count(added)} or more new results` : plural(added, 'new result');
}
