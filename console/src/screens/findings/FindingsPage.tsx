import type { Finding } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { count, plural } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useShortcuts } from '../../lib/use-shortcuts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { useCan } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { EmptyState, Failure, Forbidden } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import filterStyles from './FilterBar.module.css';
import { FilterChips, Filters } from './FilterBar.tsx';
import styles from './FindingsPage.module.css';
import { FindingsTable } from './FindingsTable.tsx';
import { ListOptions } from './ListOptions.tsx';
import type { MuteTarget } from './MuteDialog.tsx';
import { SeverityStrip } from './SeverityStrip.tsx';
import { type FindingsSearch, filtersOf, NO_FILTERS, VIEWS } from './search.ts';
import { trendQuery, useFinding, useFindingsList, useFindingsSummary } from './use-findings.ts';
import { useMuting } from './use-muting.ts';
import { useSelection } from './use-selection.ts';
import { ViewsMenu } from './ViewsMenu.tsx';

const BulkBar = lazyPart(async () => (await import('./BulkBar.tsx')).BulkBar);
const FindingPanel = lazyPart(async () => (await import('./FindingPanel.tsx')).FindingPanel);
const GroupsTable = lazyPart(async () => (await import('./GroupsTable.tsx')).GroupsTable);
const MuteDialog = lazyPart(async () => (await import('./MuteDialog.tsx')).MuteDialog);

const route = getRouteApi('/app/findings');

const TAB_LABELS = { open: 'Open', new: 'New', muted: 'Muted', resolved: 'Resolved' } as const;
const TABS = VIEWS.map((value) => ({ value, label: TAB_LABELS[value] }));

/** The findings explorer: filters in the address, a virtual list or groups, and the finding beside it. */
export function FindingsPage() {
  useTitle('Findings');
  const can = useCan();
  if (!can('findings.read')) return <Forbidden permission="findings.read" />;
  return <Explorer />;
}

function Explorer() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const selection = useSelection();
  const { clear } = selection;
  /** Filters replace the history entry: the back button leaves the screen. */
  const change = useCallback(
    (part: Partial<FindingsSearch>) => {
      const isMove = Object.keys(part).every((key) => key === 'open');
      if (!isMove) clear();
      void navigate({
        search: (old: FindingsSearch) => ({ ...old, open: undefined, ...part }),
        replace: true,
      });
    },
    [navigate, clear],
  );
  const filters = useMemo(() => filtersOf(search), [search]);
  const summary = useFindingsSummary(search).data;
  const isWhole = search.view === undefined && !hasFilters({ ...search, severity: undefined });
  const trend = useQuery({ ...trendQuery, enabled: isWhole });
  const { list, rows } = useFindingsList(search);
  const isReady = list.isSuccess;
  useEffect(() => {
    if (!isReady) return;
    BulkBar.prefetch();
    FindingPanel.prefetch();
    MuteDialog.prefetch();
  }, [isReady]);
  const total = summary === undefined ? undefined : totalOf(summary.total, search);

  const [cursor, setCursor] = useState(0);
  const at = rows.findIndex(({ id }) => id === search.open);
  const fetched = useFinding(search.open, rows[at]);
  const opened = rows[at] ?? (search.open === undefined ? undefined : fetched.data);
  const current = at < 0 ? Math.min(cursor, Math.max(0, rows.length - 1)) : at;
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, current + by));
    setCursor(next);
    if (search.open !== undefined) change({ open: rows[next]?.id });
  };

  const [muting, setMuting] = useState<MuteTarget | null>(null);
  const { done, unmute } = useMuting(search.view);
  const mayMute = useCan()('findings.mute') && search.view !== 'resolved';
  const mute = (findings: readonly Finding[]) => {
    if (mayMute && findings.length > 0) setMuting({ kind: 'findings', findings });
  };
  const muteSelected = () => {
    if (selection.isAll && total !== undefined)
      setMuting({ kind: 'matches', filter: filters, total });
    else mute(rows.filter(({ id }) => selection.ids.has(id)));
  };
  const row = rows[current];
  const isList = search.by === undefined;
  useShortcuts({
    j: isList ? () => move(1) : undefined,
    k: isList ? () => move(-1) : undefined,
    Enter: isList && row ? () => change({ open: row.id }) : undefined,
    x: isList && row ? () => selection.toggle(row.id) : undefined,
    m: () => (selection.ids.size > 0 ? muteSelected() : mute([opened ?? row].filter(isDefined))),
    Escape: () => (search.open === undefined ? clear() : change({ open: undefined })),
  });
  const open = useCallback(
    ({ id }: Finding, index: number) => {
      setCursor(index);
      change({ open: id });
    },
    [change],
  );
  const more = useCallback(() => void list.fetchNextPage(), [list.fetchNextPage]);
  const searchText = useCallback((q: string) => change({ q: q === '' ? undefined : q }), [change]);

  return (
    <div className={styles.page} data-open={opened !== undefined || undefined}>
      <section className={styles.list} aria-label="Findings">
        <header className={styles.head}>
          <div className={styles.title}>
            <h1>Findings</h1>
            <p>{total === undefined ? 'Counting …' : headline(total, summary?.byProject.length)}</p>
          </div>
          <ViewsMenu search={search} />
          <ExportMenu filters={filters} />
        </header>
        <SeverityStrip
          summary={summary}
          trend={isWhole ? trend.data : undefined}
          chosen={search.severity}
          onChange={(severity) => change({ severity })}
        />
        <Tabs
          label="Views"
          tabs={TABS}
          value={search.view ?? 'open'}
          onChange={(view) => change({ view: view === 'open' ? undefined : view })}
          className={styles.tabs}
          rowClassName={filterStyles.row}
          panelClassName={styles.panel}
          beside={
            <>
              <SearchBox
                label="Search findings"
                placeholder="Search rule, asset or message"
                value={search.q ?? ''}
                onChange={searchText}
                className={filterStyles.search}
              />
              <Filters search={search} summary={summary} onChange={change} />
              <ListOptions search={search} onChange={change} />
            </>
          }
        >
          <FilterChips search={search} onChange={change} />
          {search.by === undefined ? (
            <FindingsTable
              rows={list.isPending ? undefined : rows}
              total={total}
              isStale={list.isPlaceholderData}
              hasMore={list.hasNextPage && !list.isFetchingNextPage && !list.isError}
              onMore={more}
              hasFailed={list.isFetchNextPageError}
              openId={search.open}
              cursor={current}
              chosen={selection.ids}
              onToggle={selection.toggle}
              onToggleAll={() => selection.toggleRows(rows)}
              onOpen={open}
              instead={instead(list, rows, search, change)}
            />
          ) : (
            <GroupsTable
              by={search.by}
              search={search}
              onOpen={(part) => change({ ...part, by: undefined })}
            />
          )}
        </Tabs>
        {selection.ids.size > 0 && isList && (
          <BulkBar
            size={selection.ids.size}
            total={total ?? rows.length}
            isAll={selection.isAll}
            onAll={() => selection.selectAll(rows)}
            onMute={mayMute ? muteSelected : undefined}
            onClear={clear}
          />
        )}
      </section>
      {opened !== undefined && (
        <FindingPanel
          finding={opened}
          place={at < 0 ? '' : `${count(at + 1)} of ${count(Math.max(total ?? 0, rows.length))}`}
          canMove={(by) => rows[current + by] !== undefined && at >= 0}
          onMove={move}
          onMute={
            mayMute && opened.status === 'open' && opened.muted === null
              ? () => mute([opened])
              : undefined
          }
          onUnmute={mayMute && opened.muted !== null ? () => unmute(opened) : undefined}
          onFilter={(part) => change({ ...NO_FILTERS, ...part })}
          onClose={() => change({ open: undefined })}
        />
      )}
      {muting !== null && (
        <MuteDialog
          target={muting}
          onClose={() => setMuting(null)}
          onDone={(muted) => {
            clear();
            done(muted);
          }}
        />
      )}
    </div>
  );
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function hasFilters(search: FindingsSearch): boolean {
  return Object.keys(NO_FILTERS).some((key) => search[key as keyof FindingsSearch] !== undefined);
}

/** The findings of the tab. Muted findings are part of `open`. */
function totalOf(
  { open, resolved }: { readonly open: number; readonly resolved: number },
  { view }: FindingsSearch,
): number {
  return view === 'resolved' ? resolved : open;
}

function headline(total: number, projects: number | undefined): string {
  const found = plural(total, 'finding');
  return projects === undefined || projects === 0
    ? found
    : `${found} in ${plural(projects, 'project')}`;
}

/** What stands in for the rows if there are none. */
function instead(
  list: ReturnType<typeof useFindingsList>['list'],
  rows: readonly Finding[],
  search: FindingsSearch,
  change: (part: Partial<FindingsSearch>) => void,
) {
  if (list.isError && rows.length === 0) {
    return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (list.isPending || rows.length > 0) return null;
  if (hasFilters(search)) {
    return (
      <EmptyState
        title="No findings match these filters"
        actions={<Button onClick={() => change(NO_FILTERS)}>Clear the filters</Button>}
      />
    );
  }
  if (search.view === undefined) {
    return (
      <EmptyState title="No open findings">
        <p>Findings appear here after a scan. A scan needs a project with an inventory.</p>
      </EmptyState>
    );
  }
  return <EmptyState title={`No ${search.view} findings`} />;
}
