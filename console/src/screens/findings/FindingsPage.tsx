import { useCallback, useEffect, useMemo } from 'react';
import { count, plural } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useTitle } from '../../lib/use-title.ts';
import { queryClient, useCan } from '../../queries.ts';
import { Button, Hidden } from '../../ui/Button.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { EmptyState, Failure, Forbidden } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import filterStyles from './FilterBar.module.css';
import { FilterChips, Filters } from './FilterBar.tsx';
import styles from './FindingsPage.module.css';
import { FindingsTable } from './FindingsTable.tsx';
import { ListOptions } from './ListOptions.tsx';
import { SeverityStrip } from './SeverityStrip.tsx';
import { filtersOf, hasFilters, NO_FILTERS, VIEWS, viewOf } from './search.ts';
import { selectionText } from './selection-text.ts';
import { type Explorer as ExplorerState, useExplorer } from './use-explorer.ts';
import { SUMMARY_KEY } from './use-findings.ts';
import { ViewsMenu } from './ViewsMenu.tsx';

const BulkBar = lazyPart(async () => (await import('./BulkBar.tsx')).BulkBar);
const FindingPanel = lazyPart(async () => (await import('./FindingPanel.tsx')).FindingPanel);
const MissingFinding = lazyPart(async () => (await import('./FindingPanel.tsx')).MissingFinding);
const GroupsTable = lazyPart(async () => (await import('./GroupsTable.tsx')).GroupsTable);
const MuteDialog = lazyPart(async () => (await import('./MuteDialog.tsx')).MuteDialog);

const TAB_LABELS = {
  open: 'Open',
  all: 'All open',
  new: 'New',
  muted: 'Muted',
  resolved: 'Resolved',
  any: 'Any status',
} as const;
const TABS = VIEWS.map((value) => ({ value, label: TAB_LABELS[value] }));
/** The numbers of a scan count findings that were resolved since, too. Elsewhere each finding is in one of the other tabs. */
const TABS_WITHOUT_SCAN = TABS.filter(({ value }) => value !== 'any');

/** The findings explorer: filters in the address, a virtual list or groups, and the finding beside it. */
export function FindingsPage() {
  const can = useCan();
  if (!can('findings.read')) return <Forbidden permission="findings.read" />;
  return <Explorer />;
}

function Explorer() {
  useTitle('Findings');
  const explorer = useExplorer();
  const { search, change, selection, cursor, mutes } = explorer;
  const view = viewOf(search);
  usePrefetchedParts(explorer.list.isSuccess);
  return (
    <div
      className={styles.page}
      data-open={cursor.opened !== undefined || cursor.error !== null || undefined}
    >
      <section className={styles.list} aria-label="Findings">
        <div className={styles.scroller}>
          <Head explorer={explorer} />
          <SeverityStrip
            summary={explorer.summary}
            trend={explorer.trend}
            chosen={search.severity}
            onChange={(severity) => change({ severity })}
          />
          <Tabs
            label="Views"
            tabs={view === 'any' || search.scan !== undefined ? TABS : TABS_WITHOUT_SCAN}
            value={view}
            // A tab shows all of its findings, so the filter for one finding in any state ends.
            onChange={(next) =>
              change({ view: next === 'open' ? undefined : next, fingerprint: undefined })
            }
            className={styles.tabs}
            rowClassName={filterStyles.row}
            panelClassName={styles.panel}
            beside={<Controls explorer={explorer} />}
          >
            <FilterChips search={search} onChange={change} />
            <Results explorer={explorer} />
          </Tabs>
        </div>
        <Selected explorer={explorer} />
      </section>
      <Panel explorer={explorer} />
      {mutes.target !== null && (
        <MuteDialog
          target={mutes.target}
          onClose={mutes.close}
          onDone={(muted, isShown) => {
            if (isShown) selection.clear();
            mutes.done(muted);
          }}
        />
      )}
    </div>
  );
}

interface PartProps {
  readonly explorer: ExplorerState;
}

function Head({ explorer: { search, total, summary } }: PartProps) {
  const filters = useMemo(() => filtersOf(search), [search]);
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1>Findings</h1>
        <p>{total === undefined ? 'Counting …' : headline(total, summary?.byProject.length)}</p>
      </div>
      <ViewsMenu search={search} />
      <ExportMenu filters={filters} />
    </header>
  );
}

function Controls({ explorer: { search, summary, change } }: PartProps) {
  const searchText = useCallback((q: string) => change({ q: q === '' ? undefined : q }), [change]);
  return (
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
  );
}

/** Why the loaded rows are not all that there is, and the way to repeat what failed. */
function failure({ list, rows }: ExplorerState) {
  if (!list.isError || rows.length === 0) return undefined;
  return list.isFetchNextPageError
    ? { text: 'The next ones could not be loaded', retry: () => void list.fetchNextPage() }
    : { text: 'The list could not be loaded again', retry: () => void list.refetch() };
}

/** The list or the groups. */
function Results({ explorer }: PartProps) {
  const { search, change, list, rows, total, cursor, selection } = explorer;
  const more = useCallback(() => void list.fetchNextPage(), [list.fetchNextPage]);
  const showChange = () => {
    // The person selected the matches of before: see `useFindingsSummary`.
    if (selection.isAll) {
      selection.clear();
      void queryClient.invalidateQueries({ queryKey: SUMMARY_KEY });
    }
    void list.refetch();
  };
  if (search.by !== undefined) {
    return (
      <GroupsTable
        by={search.by}
        search={search}
        onOpen={(part) => change({ ...part, by: undefined })}
      />
    );
  }
  return (
    <FindingsTable
      query={explorer.query}
      // That the search before found nothing says nothing about this one.
      rows={list.isPending || (list.isPlaceholderData && rows.length === 0) ? undefined : rows}
      total={total}
      isStale={list.isPlaceholderData}
      hasMore={list.hasNextPage && !list.isFetchingNextPage && !list.isError}
      onMore={more}
      failure={failure(explorer)}
      openId={search.open}
      cursor={cursor.current}
      chosen={selection.ids}
      onToggle={selection.toggle}
      onToggleAll={selection.toggleRows}
      onOpen={cursor.open}
      onFocusRow={cursor.focus}
      change={explorer.listChange}
      onShowChange={showChange}
      instead={instead(explorer)}
    />
  );
}

/** The bar below the list while rows are selected. Screen readers may skip a status that appears together with its text. */
function Selected({ explorer: { search, selection, total, mutes } }: PartProps) {
  const { rows, isAll } = selection;
  const isShown = (rows.length > 0 || isAll) && search.by === undefined;
  const selected = {
    size: rows.length,
    total,
    isAll,
    mutable: mutes.mutable,
    limit: mutes.limit,
    onMute: mutes.mayMute && viewOf(search) !== 'resolved' ? mutes.muteSelected : undefined,
  };
  return (
    <>
      <Hidden role="status">{isShown && selectionText(selected)}</Hidden>
      {isShown && <BulkBar {...selected} onAll={selection.selectAll} onClear={selection.clear} />}
    </>
  );
}

/** The finding beside the list. */
function Panel({ explorer: { change, rows, total, cursor, mutes } }: PartProps) {
  const { at, current, opened, error } = cursor;
  if (opened === undefined) {
    if (error === null) return null;
    const { openings, retry, close } = cursor;
    return <MissingFinding {...{ openings, error }} onRetry={retry} onClose={close} />;
  }
  const { mayMute, mute, unmute } = mutes;
  const isMutable = mayMute && opened.status === 'open' && opened.muted === null;
  return (
    <FindingPanel
      finding={opened}
      openings={cursor.openings}
      place={at < 0 ? '' : `${count(at + 1)} of ${count(Math.max(total ?? 0, rows.length))}`}
      canMove={(by) => rows[current + by] !== undefined && at >= 0}
      onMove={cursor.move}
      onMute={isMutable ? () => mute([opened]) : undefined}
      onUnmute={mayMute && opened.muted !== null ? () => unmute(opened) : undefined}
      onFilter={(part) => change({ ...NO_FILTERS, ...part })}
      onFocus={cursor.focusPanel}
      onClose={cursor.close}
    />
  );
}

/** Loads the code of parts that open later, once the list is there. */
function usePrefetchedParts(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    BulkBar.prefetch();
    FindingPanel.prefetch();
    MuteDialog.prefetch();
  }, [isReady]);
}

function headline(total: number, projects: number | undefined): string {
  const found = plural(total, 'finding');
  return projects === undefined || projects === 0
    ? found
    : `${found} in ${plural(projects, 'project')}`;
}

/** Shown instead of the rows if there are none. */
function instead({ list, rows, search, change }: ExplorerState) {
  if (list.isError && rows.length === 0) {
    return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (list.isPending || list.isPlaceholderData || rows.length > 0) return null;
  if (hasFilters(search)) {
    return (
      <EmptyState
        title="No findings match these filters"
        actions={<Button onClick={() => change(NO_FILTERS)}>Clear the filters</Button>}
      />
    );
  }
  if (search.view === undefined || search.view === 'all' || search.view === 'any') {
    return (
      <EmptyState title="No open findings">
        <p>Findings appear here after a scan. A scan needs a project with an inventory.</p>
      </EmptyState>
    );
  }
  return <EmptyState title={`No ${search.view} findings`} />;
}
