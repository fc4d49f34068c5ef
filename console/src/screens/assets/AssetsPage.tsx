import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Boxes } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { count, kindOf } from '../../lib/format.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { MultiSelect } from '../../ui/MultiSelect.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Select } from '../../ui/Select.tsx';
import { EmptyState, Failure, Forbidden } from '../../ui/States.tsx';
import styles from './Assets.module.css';
import { AssetsTable } from './AssetsTable.tsx';
import { type AssetsSearch, filtersOf } from './search.ts';

const route = getRouteApi('/app/projects/$name/assets');

/** The assets of the current inventory of a project, with filters in the address. */
export function AssetsPage() {
  const can = useCan();
  const { name } = route.useParams();
  if (!can('findings.read')) return <Forbidden permission="findings.read" />;
  return <Assets key={name} project={name} />;
}

function Assets({ project }: { readonly project: string }) {
  const can = useCan();
  const search = route.useSearch();
  const navigate = useNavigate();
  const filters = filtersOf(search);
  const assets = useInfiniteQuery({
    queryKey: ['assets', 'list', project, filters],
    queryFn: ({ pageParam }) =>
      api.assets.list({ project, ...filters, cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  const change = useCallback(
    (next: Partial<AssetsSearch>) =>
      void navigate({
        to: '/projects/$name/assets',
        params: { name: project },
        search: { ...search, ...next },
        replace: true,
      }),
    [navigate, project, search],
  );
  const { data, isPlaceholderData } = assets;
  const rows = useMemo(() => {
    const loaded = data?.pages.flatMap(({ items }) => items);
    // That the filters before matched nothing says nothing about these.
    return isPlaceholderData && loaded?.length === 0 ? undefined : loaded;
  }, [data, isPlaceholderData]);
  const { fetchNextPage, isFetchingNextPage } = assets;
  const onMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title="Assets" subtitle={`Of the current inventory of ${project}.`}>
      {can('projects.read') && (
        <Link to="/projects/$name" params={{ name: project }} className={styles.back}>
          <ArrowLeft size={14} aria-hidden />
          Project {project}
        </Link>
      )}
      <Filters project={project} search={search} isFiltered={isFiltered} onChange={change} />
      {assets.isError && rows === undefined ? (
        <Failure error={assets.error} onRetry={() => void assets.refetch()} />
      ) : rows?.length === 0 ? (
        <Nothing isFiltered={isFiltered} onClear={() => change(NO_FILTERS)} />
      ) : (
        <AssetsTable
          project={project}
          query={JSON.stringify(filters)}
          rows={rows}
          isStale={isPlaceholderData}
          hasMore={assets.hasNextPage && !assets.isFetchNextPageError}
          hasFailed={assets.isFetchNextPageError}
          onMore={onMore}
        />
      )}
    </Page>
  );
}

const NO_FILTERS: Readonly<Record<keyof AssetsSearch, undefined>> = {
  q: undefined,
  type: undefined,
  location: undefined,
  findings: undefined,
};

interface FiltersProps {
  readonly project: string;
  readonly search: AssetsSearch;
  readonly isFiltered: boolean;
  readonly onChange: (next: Partial<AssetsSearch>) => void;
}

const ALL = '';
const FINDINGS_OPTIONS = [
  { value: ALL, label: 'With or without findings' },
  { value: 'with', label: 'With open findings' },
  { value: 'without', label: 'Without open findings' },
] as const;

function Filters({ project, search, isFiltered, onChange }: FiltersProps) {
  const { types, locations } = useFacets(project);
  const { q = '', type = [], location = [], findings } = search;
  const onSearch = useCallback((text: string) => onChange({ q: text || undefined }), [onChange]);
  return (
    <search className={styles.filters}>
      <SearchBox label="Search the names of assets" value={q} onChange={onSearch} />
      <MultiSelect
        label="Type"
        options={options(types, type, kindOf)}
        values={type}
        onChange={(values) => onChange({ type: values.length > 0 ? values : undefined })}
      />
      <MultiSelect
        label="Location"
        options={options(locations, location, (one) => one)}
        values={location}
        onChange={(values) => onChange({ location: values.length > 0 ? values : undefined })}
      />
      <Select
        label="Findings"
        options={FINDINGS_OPTIONS}
        value={findings ?? ALL}
        onChange={(value) => onChange({ findings: value === ALL ? undefined : value })}
      />
      {isFiltered && (
        <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
          Clear
        </Button>
      )}
    </search>
  );
}

type Counts = ReadonlyMap<string, number>;

/** The types and locations of the current inventory that the person may see. */
function useFacets(project: string): { readonly types: Counts; readonly locations: Counts } {
  const can = useCan();
  const { data } = useQuery({
    queryKey: ['projects', 'current-inventory', project],
    queryFn: () => api.projects.inventories({ name: project, limit: 1 }),
    enabled: can('projects.read'),
  });
  const [inventory] = data?.items ?? [];
  return {
    types: new Map(inventory?.assetTypes.map((one) => [one.type, one.count])),
    locations: new Map(inventory?.locations.map((one) => [one.location, one.count])),
  };
}

/** Chosen values stay in the list, also if the inventory has none of them. */
function options(counts: Counts, chosen: readonly string[], labelOf: (value: string) => string) {
  const known = [...new Set([...counts.keys(), ...chosen])];
  return known.map((value) => ({
    value,
    label: `${labelOf(value)} (${count(counts.get(value) ?? 0)})`,
  }));
}

function Nothing(props: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<Boxes size={28} strokeWidth={1.4} aria-hidden />}
      title={props.isFiltered ? 'No asset matches the filters' : 'The project has no assets yet'}
      actions={props.isFiltered && <Button onClick={props.onClear}>Clear the filters</Button>}
    >
      {!props.isFiltered && <p>Upload an inventory to the project. Its assets are listed here.</p>}
    </EmptyState>
  );
}
