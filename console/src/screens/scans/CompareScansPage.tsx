import type { ComparedFinding, Severity as Level, ScanComparison } from '@cspm/sdk';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { plural, shortCount, visible } from '../../lib/format.ts';
import { findingsLink } from '../../parts/findings-link.ts';
import { PermittedLink } from '../../parts/PermittedLink.tsx';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { SEVERITIES, SEVERITY_LABEL, Severity } from '../../ui/Severity.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Time } from '../../ui/Time.tsx';
import { ChooseScanDialog } from './ChooseScanDialog.tsx';
import { CHANGES, type Change, type CompareSearch } from './compare-search.ts';
import styles from './Scans.module.css';

const route = getRouteApi('/app/scans/$id/compare');

const LABEL: Record<Change, string> = {
  new: 'New',
  resolved: 'Resolved',
  reopened: 'Reopened',
  unchanged: 'Unchanged',
};

/** What changed from an earlier scan to this one. */
export function CompareScansPage() {
  const can = useCan();
  const { id } = route.useParams();
  const search = route.useSearch();
  if (!can('findings.read')) return <Forbidden permission="findings.read" />;
  if (search.with === undefined) return <Unchosen id={id} />;
  return <Comparison key={`${id} ${search.with}`} id={id} earlier={search.with} search={search} />;
}

function Unchosen({ id }: { readonly id: string }) {
  return (
    <Page title="Compare scans">
      <EmptyState
        icon={<GitCompareArrows size={28} strokeWidth={1.4} aria-hidden />}
        title="No scan to compare with"
        actions={
          <Link to="/scans/$id" params={{ id }} {...buttonLook('primary')}>
            Back to the scan
          </Link>
        }
      >
        <p>Choose Compare on the page of the scan.</p>
      </EmptyState>
    </Page>
  );
}

interface ComparisonProps {
  readonly id: string;
  readonly earlier: string;
  readonly search: CompareSearch;
}

function Comparison({ id, earlier, search }: ComparisonProps) {
  const navigate = useNavigate();
  const can = useCan();
  const [isChoosing, setChoosing] = useState(false);
  const { change = 'new', severity } = search;
  const base = { id, with: earlier };
  // Completed scans never change, and the counts take longer than the first page.
  const counted = useQuery({
    queryKey: ['scans', 'compare', 'counts', base],
    queryFn: () => api.scans.compare({ ...base, limit: 1 }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = useInfiniteQuery({
    queryKey: ['scans', 'compare', 'list', base, change, severity],
    queryFn: ({ pageParam }) =>
      api.scans.compare({
        ...base,
        change: [change],
        severity,
        counts: false,
        limit: 100,
        cursor: pageParam,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  const show = (next: Partial<CompareSearch>) =>
    void navigate({
      to: '/scans/$id/compare',
      params: { id },
      search: { ...search, ...next },
      replace: true,
    });
  const counts = counted.data?.counts;
  const first = found.data?.pages[0] ?? counted.data;
  return (
    <Page
      title="Compare scans"
      subtitle={first === undefined ? undefined : <Sides comparison={first} />}
      actions={
        <>
          {can('scans.read') && (
            <Button onClick={() => setChoosing(true)}>Compare with another scan</Button>
          )}
          {can('scans.read') && (
            <Link to="/scans/$id" params={{ id }} {...buttonLook()}>
              Back to the scan
            </Link>
          )}
        </>
      }
    >
      <Loaded query={found}>
        <Tabs
          label="Changes"
          value={change}
          onChange={(chosen) => show({ change: chosen })}
          tabs={CHANGES.map((value) => ({
            value,
            label: LABEL[value],
            count: counts ? inSeverities(counts[value].bySeverity, severity) : undefined,
          }))}
        >
          <SeverityFilter
            counts={counts?.[change].bySeverity}
            chosen={severity}
            onChange={(next) => show({ severity: next })}
          />
          <Table
            label={`${LABEL[change]} findings`}
            columns={COLUMNS}
            rows={
              found.isPlaceholderData ? undefined : found.data?.pages.flatMap(({ items }) => items)
            }
            rowKey={({ finding }) => finding.id}
            onMore={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
            isLoadingMore={found.isFetchingNextPage}
            empty={<Nothing change={change} isFiltered={severity !== undefined} />}
          />
        </Tabs>
      </Loaded>
      <ChooseScanDialog
        id={id}
        projects={first?.projects}
        open={isChoosing}
        onClose={() => setChoosing(false)}
      />
    </Page>
  );
}

function inSeverities(
  counts: Readonly<Record<Level, number>>,
  chosen: readonly Level[] | undefined,
): number {
  return (chosen ?? SEVERITIES).reduce((sum, level) => sum + counts[level], 0);
}

function Sides({ comparison }: { readonly comparison: ScanComparison }) {
  const { scan, with: earlier, projects, ruleSetChanged } = comparison;
  const [name] = projects;
  return (
    <span className={styles.head}>
      <span>
        {projects.length === 1 ? name : plural(projects.length, 'project')}: from the scan of{' '}
        <PermittedLink
          permission="scans.read"
          to="/scans/$id"
          params={{ id: earlier.id }}
          className={styles.link}
        >
          <Time at={earlier.createdAt} />
        </PermittedLink>
        , profile {earlier.profile}, to the scan of{' '}
        <PermittedLink
          permission="scans.read"
          to="/scans/$id"
          params={{ id: scan.id }}
          className={styles.link}
        >
          <Time at={scan.createdAt} />
        </PermittedLink>
        , profile {scan.profile}
      </span>
      {ruleSetChanged && (
        <span>
          The rule set changed between the scans, so a finding can be new or resolved although its
          asset did not change.
        </span>
      )}
    </span>
  );
}

interface SeverityFilterProps {
  readonly counts: Readonly<Record<Level, number>> | undefined;
  readonly chosen: readonly Level[] | undefined;
  readonly onChange: (next: readonly Level[] | undefined) => void;
}

function SeverityFilter({ counts, chosen = [], onChange }: SeverityFilterProps) {
  return (
    <fieldset className={styles.severities} aria-label="Severity">
      {SEVERITIES.map((level) => {
        const isOn = chosen.includes(level);
        const next = isOn ? chosen.filter((one) => one !== level) : [...chosen, level];
        return (
          <button
            key={level}
            type="button"
            className={styles.filter}
            data-active={isOn || undefined}
            aria-pressed={isOn}
            onClick={() => onChange(next.length > 0 ? next : undefined)}
          >
            {SEVERITY_LABEL[level]}
            {counts !== undefined && <span>{shortCount(counts[level])}</span>}
          </button>
        );
      })}
    </fieldset>
  );
}

function Nothing({
  change,
  isFiltered,
}: {
  readonly change: Change;
  readonly isFiltered: boolean;
}) {
  const what = { new: 'new', resolved: 'resolved', reopened: 'reopened', unchanged: 'unchanged' };
  return (
    <EmptyState
      title={isFiltered ? 'No finding has these severities' : `No finding is ${what[change]}`}
    />
  );
}

const COLUMNS: readonly Column<ComparedFinding>[] = [
  {
    key: 'severity',
    header: 'Severity',
    cell: ({ finding }) => <Severity level={finding.severity} />,
  },
  {
    key: 'finding',
    header: 'Finding',
    cell: ({ finding }) => (
      <span className={styles.rule}>
        <Link {...findingsLink({ rule: [finding.ruleId], open: finding.id })}>{finding.title}</Link>
        <small>{visible(finding.asset.name)}</small>
      </span>
    ),
  },
  { key: 'project', header: 'Project', show: 'wide', cell: ({ finding }) => finding.project },
  {
    key: 'seen',
    header: 'Last seen',
    show: 'wide',
    cell: ({ finding }) => <Time at={finding.lastSeenAt} />,
  },
];
