import type { FindingGroup } from '@cspm/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { count, plural, visible } from '../../lib/format.ts';
import { KEPT_FRESH } from '../../queries.ts';
import { api } from '../../session.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Severity } from '../../ui/Severity.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './GroupsTable.module.css';
import { type FindingsSearch, filtersOf, type GroupBy } from './search.ts';

const LABELS: Record<GroupBy, string> = {
  rule: 'Findings by rule',
  asset: 'Findings by asset',
  project: 'Findings by project',
};

interface GroupsTableProps {
  readonly by: GroupBy;
  readonly search: FindingsSearch;
  /** Shows the findings of a group. */
  readonly onOpen: (filters: Partial<FindingsSearch>) => void;
}

/** The findings counted by rule, asset or project, worst first. */
export function GroupsTable({ by, search, onOpen }: GroupsTableProps) {
  const { open: _, sort: _sort, ...asked } = search;
  const groups = useInfiniteQuery({
    queryKey: ['findings', 'groups', by, asked],
    queryFn: ({ pageParam, signal }) =>
      api.findings.groups({ ...filtersOf(asked), by, cursor: pageParam, limit: 100 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Rows of another grouping would stand under the wrong heading, and open the wrong findings.
    placeholderData: (before, query) => (query?.queryKey[2] === by ? before : undefined),
    meta: KEPT_FRESH,
  });
  const rows = groups.data?.pages.flatMap(({ items }) => items);
  // That the search before found nothing says nothing about this one.
  const isLoading = groups.isPlaceholderData && rows?.length === 0;
  const filterOf = (key: string) => (by === 'asset' ? { asset: key } : { [by]: [key] });
  return (
    <div className={styles.frame}>
      <Loaded query={groups}>
        <Table
          label={LABELS[by]}
          rows={isLoading ? undefined : rows}
          rowKey={({ key }) => key}
          columns={columns(by, (key) => onOpen(filterOf(key)))}
          onMore={groups.hasNextPage ? () => void groups.fetchNextPage() : undefined}
          isLoadingMore={groups.isFetchingNextPage}
          empty={<EmptyState title="No findings match these filters" />}
        />
      </Loaded>
    </div>
  );
}

function columns(by: GroupBy, onOpen: (key: string) => void): readonly Column<FindingGroup>[] {
  const projects: Column<FindingGroup> = {
    key: 'projects',
    header: 'Projects',
    show: 'wide',
    align: 'end',
    cell: (group) => count(group.projects),
  };
  return [
    { key: 'severity', header: 'Worst', cell: ({ severity }) => <Severity level={severity} /> },
    {
      key: 'title',
      header: by === 'rule' ? 'Rule' : by === 'asset' ? 'Asset' : 'Project',
      cell: ({ key, title }) => (
        <span className={styles.name}>
          <button type="button" onClick={() => onOpen(key)}>
            {visible(title)}
          </button>
          {key !== title && <code>{visible(key)}</code>}
        </span>
      ),
    },
    ...(by === 'project' ? [] : [projects]),
    {
      key: 'count',
      header: 'Findings',
      align: 'end',
      cell: ({ open, resolved }) => (
        <span title={`${plural(open, 'open finding')}, ${count(resolved)} resolved`}>
          {count(open + resolved)}
        </span>
      ),
    },
    {
      key: 'seen',
      header: 'Last seen',
      show: 'wide',
      align: 'end',
      cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
    },
  ];
}
