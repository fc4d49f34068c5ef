import type { Scan } from '@cspm/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Play, Radar, X } from 'lucide-react';
import { useState } from 'react';
import { canLaunch } from '../../parts/can-launch.ts';
import { seenBy } from '../../parts/findings-link.ts';
import { LaunchScan } from '../../parts/LaunchScan.tsx';
import { ScanStatus } from '../../parts/ScanStatus.tsx';
import { SeverityCounts } from '../../parts/SeverityCounts.tsx';
import { isActive, SCAN_STATUSES, STATUS_LABEL } from '../../parts/scan-statuses.ts';
import { KEPT_FRESH, useCan } from '../../queries.ts';
import { noteScans } from '../../reloads.ts';
import { api } from '../../session.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { duration } from './duration.ts';
import styles from './Scans.module.css';
import type { ScansSearch } from './search.ts';

const route = getRouteApi('/app/scans');

/** How often the list is loaded again while it shows a running scan: six requests of the 60 a minute. */
const REFRESH_MS = 10_000;

/** The scans of the tenant, newest first. */
export function ScansPage() {
  const can = useCan();
  if (!can('scans.read')) return <Forbidden permission="scans.read" />;
  return <Scans canLaunch={canLaunch(can)} />;
}

function Scans({ canLaunch }: { readonly canLaunch: boolean }) {
  const search = route.useSearch();
  const [isLaunching, setLaunching] = useState(false);
  const { status, project } = search;
  const scans = useInfiniteQuery({
    queryKey: ['scans', 'list', search],
    queryFn: async ({ pageParam }) => {
      const page = await api.scans.list({
        status,
        project: project === undefined ? undefined : [project],
        cursor: pageParam,
        limit: 50,
      });
      noteScans(page.items);
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: KEPT_FRESH,
    // Only the first page: every page would be a request. After a failure it waits for the next reload.
    refetchInterval: ({ state }) =>
      state.error === null &&
      state.data?.pages.length === 1 &&
      state.data.pages[0]?.items.some((one) => isActive(one.status))
        ? REFRESH_MS
        : false,
  });
  const isFiltered = status !== undefined || project !== undefined;
  return (
    <Page
      title="Scans"
      subtitle="A scan evaluates the rules of a profile on the inventories of projects."
      query={JSON.stringify(search)}
      actions={
        canLaunch && (
          <Button kind="primary" onClick={() => setLaunching(true)}>
            <Play size={15} aria-hidden />
            Launch scan
          </Button>
        )
      }
    >
      <Filters search={search} />
      <Loaded query={scans}>
        <Table
          label="Scans"
          columns={COLUMNS}
          rows={scans.data?.pages.flatMap(({ items }) => items)}
          rowKey={({ id }) => id}
          onMore={scans.hasNextPage ? () => void scans.fetchNextPage() : undefined}
          isLoadingMore={scans.isFetchingNextPage}
          empty={
            isFiltered ? (
              <EmptyState
                title="No scan matches these filters"
                actions={
                  <Link to="/scans" search={{}} {...buttonLook()}>
                    Show all scans
                  </Link>
                }
              />
            ) : (
              <EmptyState
                icon={<Radar size={28} strokeWidth={1.4} aria-hidden />}
                title="Nothing has been scanned yet"
              >
                <p>Upload an inventory to a project, then launch a scan.</p>
              </EmptyState>
            )
          }
        />
      </Loaded>
      <LaunchScan
        open={isLaunching}
        onClose={() => setLaunching(false)}
        {...(project === undefined ? {} : { initial: [project] })}
      />
    </Page>
  );
}

/** Each filter is a link, so it can be opened in another tab and the address always shows the filters. */
function Filters({ search }: { readonly search: ScansSearch }) {
  const { status = [], project } = search;
  return (
    <nav className={styles.filters} aria-label="Filters">
      <Link
        to="/scans"
        search={{ ...search, status: undefined }}
        className={styles.filter}
        data-active={status.length === 0 || undefined}
        aria-current={status.length === 0 ? 'true' : undefined}
      >
        All
      </Link>
      {SCAN_STATUSES.map((one) => {
        const isOn = status.includes(one);
        const next = isOn ? status.filter((other) => other !== one) : [...status, one];
        return (
          <Link
            key={one}
            to="/scans"
            search={{ ...search, status: next.length > 0 ? next : undefined }}
            className={styles.filter}
            data-active={isOn || undefined}
            aria-current={isOn ? 'true' : undefined}
          >
            {STATUS_LABEL[one]}
          </Link>
        );
      })}
      {project !== undefined && (
        <Link
          to="/scans"
          search={{ ...search, project: undefined }}
          className={styles.filter}
          data-active
          aria-label={`Remove the filter for project ${project}`}
        >
          Project {project}
          <X size={13} aria-hidden />
        </Link>
      )}
    </nav>
  );
}

const COLUMNS: readonly Column<Scan>[] = [
  {
    key: 'scan',
    header: 'Scan',
    cell: ({ id, createdAt, projects }) => (
      <span className={styles.scan}>
        <Link to="/scans/$id" params={{ id }}>
          {projectsOf(projects)}
        </Link>
        <small>
          <Time at={createdAt} />
        </small>
      </span>
    ),
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <ScanStatus status={status} /> },
  {
    key: 'findings',
    header: 'Findings',
    cell: ({ id, status, totals }) =>
      status === 'queued' ? (
        '–'
      ) : (
        <SeverityCounts counts={totals.bySeverity} filters={seenBy(id)} />
      ),
  },
  {
    key: 'changes',
    header: 'Changes',
    show: 'wide',
    cell: ({ delta, status }) =>
      isActive(status) ? '–' : `${delta.new} new, ${delta.resolved} resolved`,
  },
  { key: 'profile', header: 'Profile', show: 'wide', cell: ({ profile }) => profile },
  {
    key: 'duration',
    header: 'Duration',
    show: 'wide',
    align: 'end',
    cell: ({ startedAt, finishedAt }) => duration(startedAt, finishedAt),
  },
  {
    key: 'by',
    header: 'Launched by',
    show: 'wide',
    cell: ({ createdBy }) => createdBy.label,
  },
];

/** `shop-prod`, `shop-prod and 2 more`. */
function projectsOf(projects: Scan['projects']): string {
  const [first, ...others] = projects;
  if (first === undefined) return 'No projects';
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`;
}
