import { NotFoundError, type Scan, type ScanStatus } from '@cspm/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { ALL_PROJECTS } from './search.ts';

const route = getRouteApi('/app/compliance');

/** Scans to choose from. */
const CHOICES = 50;
/** The most projects that the API lists. */
export const PROJECTS_MAX = 100;

const FINISHED: ScanStatus[] = ['completed', 'partial'];

/** The newest scans that finished, to choose from. */
export const finishedQuery = queryOptions({
  queryKey: ['scans', 'newest-finished'],
  queryFn: () => api.scans.list({ status: FINISHED, limit: CHOICES }),
});

/** The names of projects. The API lists only the newest ones at once. */
const projectsQuery = queryOptions({
  queryKey: ['projects', 'names'],
  queryFn: async () => {
    const { items, nextCursor } = await api.projects.list({ limit: PROJECTS_MAX });
    return { names: items.map(({ name }) => name), isAll: nextCursor === null };
  },
});

/** How many projects that are not listed are looked up, each with a request: in all, and first for each scan. */
const LOOKUPS_MAX = 10;
const LOOKUPS_FIRST = 2;

/** The first of the scans with a project that exists, or that may exist once the look-ups are used up; null: none. */
async function presentScan(
  scans: readonly Scan[],
  { names, isAll }: { readonly names: readonly string[]; readonly isAll: boolean },
): Promise<Scan | null> {
  const listed = new Set(names);
  const deleted = new Set<string>();
  // A scan of many deleted projects must not use up the look-ups of the scans behind it.
  for (const most of isAll ? [0] : [LOOKUPS_FIRST, LOOKUPS_MAX]) {
    for (const scan of scans) {
      if (scan.projects.some(({ name }) => listed.has(name))) return scan;
      const unknown = scan.projects.filter(({ name }) => !deleted.has(name));
      for (const { name } of unknown.slice(0, most)) {
        if (deleted.size === LOOKUPS_MAX || (await projectExists(name))) return scan;
        deleted.add(name);
      }
    }
  }
  return null;
}

async function projectExists(name: string): Promise<boolean> {
  try {
    await api.projects.get({ name });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** The scan of the address, or else the newest one of present projects that finished. */
export function useChosenScan() {
  const can = useCan();
  const { scan: id } = route.useSearch();
  const newest = useQuery(finishedQuery);
  const scans = newest.data?.items;
  const isNamed = id !== undefined && id !== ALL_PROJECTS;
  // Deleted projects keep their scans.
  const projects = useQuery({
    ...projectsQuery,
    enabled: id === undefined && can('projects.read'),
  });
  const { names = [] } = projects.data ?? {};
  const present = useQuery({
    queryKey: ['projects', 'present', scans?.map((one) => one.id), names],
    queryFn: () => presentScan(scans ?? [], projects.data ?? { names, isAll: true }),
    enabled: id === undefined && scans !== undefined && projects.data !== undefined,
  });
  const isChoosing = projects.isLoading || present.isLoading;
  const listed = isNamed
    ? scans?.find((one) => one.id === id)
    : projects.data === undefined && !isChoosing
      ? scans?.[0]
      : (present.data ?? undefined);
  // All of the newest scans may be of deleted projects.
  const isFurther =
    id === undefined && names.length > 0 && present.isSuccess && listed === undefined;
  const further = useQuery({
    queryKey: ['scans', 'newest-finished', names],
    queryFn: () => api.scans.list({ status: FINISHED, project: names, limit: 1 }),
    enabled: isFurther && newest.data?.nextCursor != null,
  });
  const isOlder = isNamed && scans !== undefined && listed === undefined;
  const older = useQuery({
    queryKey: ['scans', 'older-finished', id],
    queryFn: () => api.scans.get({ id: id ?? '' }),
    enabled: isOlder,
  });
  if (isOlder) return { query: older, scan: older.data, isChosen: true, isCertain: true };
  return {
    query: further.isError ? further : present.isError ? present : newest,
    scan: isFurther ? further.data?.items[0] : listed,
    isChosen: isNamed || !(isChoosing || further.isLoading),
    /** Whether no project has a scan if none is chosen: the scans of projects that are not listed may be older. */
    isCertain: newest.data?.nextCursor === null || projects.data?.isAll !== false,
  };
}
