import type { Pull } from '@cspm/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { CloudDownload } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { count, plural } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { api } from '../../session.ts';
import { Badge, Button, type Tone } from '../../ui/Button.tsx';
import { Card, Meter } from '../../ui/Card.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './Source.module.css';

/** How often the list is loaded again during a pull. */
const EVERY_MS = 3_000;

interface PullsProps {
  readonly name: string;
  /** Whether there is a source to pull from. */
  readonly canStart: boolean;
}

/** The newest pulls of a project, and the progress of the one that runs. */
export function Pulls({ name, canStart }: PullsProps) {
  const queryClient = useQueryClient();
  const pulls = useInfiniteQuery({
    queryKey: ['projects', 'pulls', name],
    queryFn: ({ pageParam }) => api.pulls.list({ name, cursor: pageParam, limit: 25 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Each page is a request, so more pages are loaded again less often.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isRunning)) && EVERY_MS * data.pages.length,
  });
  const once = useOnce();
  const start = useAction(async () => {
    await once(api.pulls.start, { name });
    await queryClient.invalidateQueries({ queryKey: ['projects', 'pulls', name] });
    toast('Pull queued');
  });
  const rows = pulls.data?.pages.flatMap(({ items }) => items);
  const running = rows?.find(isRunning);
  useReloadAfter(running?.id, name);
  return (
    <Card
      title="Pulls"
      subtitle="Newest first. A complete pull replaces the current inventory."
      actions={
        canStart && (
          <Button
            kind="primary"
            busy={start.isBusy || running !== undefined}
            onClick={() => start.run()}
          >
            <CloudDownload size={15} aria-hidden />
            Pull now
          </Button>
        )
      }
    >
      <FormError>{start.error === null ? null : errorText(start.error)}</FormError>
      {running !== undefined && <Progress pull={running} />}
      <Loaded query={pulls}>
        <Table
          label="Pulls of the project"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          onMore={pulls.hasNextPage ? () => void pulls.fetchNextPage() : undefined}
          isLoadingMore={pulls.isFetchingNextPage}
          empty={
            <EmptyState title="No inventory has been pulled">
              <p>
                {canStart
                  ? 'Check the source, then pull the first inventory.'
                  : 'Set a source to pull inventories.'}
              </p>
            </EmptyState>
          }
        />
      </Loaded>
    </Card>
  );
}

const isRunning = ({ finishedAt }: Pull): boolean => finishedAt === null;

/** Loads the project again when a pull has ended: it may have a new inventory. */
function useReloadAfter(running: string | undefined, name: string): void {
  const queryClient = useQueryClient();
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (before.current !== undefined && running === undefined) {
      for (const part of ['one', 'source', 'inventories'])
        void queryClient.invalidateQueries({ queryKey: ['projects', part, name] });
    }
    before.current = running;
  }, [running, name, queryClient]);
}

function Progress({ pull }: { readonly pull: Pull }) {
  const { status, pages, records } = pull;
  return (
    <div className={styles.progress}>
      <span role="status">{status === 'queued' ? 'The pull is queued' : 'Pulling'}</span>
      <Meter label="Progress of the pull" value={null} />
      <span className={styles.muted}>
        {plural(pages, 'page')}, {plural(records, 'record')} so far
      </span>
    </div>
  );
}

const STATES: Record<Pull['status'], { tone: Tone | undefined; text: string }> = {
  queued: { tone: undefined, text: 'Queued' },
  running: { tone: 'new', text: 'Running' },
  completed: { tone: 'good', text: 'Completed' },
  partial: { tone: 'warn', text: 'Partial' },
  failed: { tone: 'bad', text: 'Failed' },
};

const COLUMNS: readonly Column<Pull>[] = [
  {
    key: 'requested',
    header: 'Requested',
    cell: ({ createdAt, createdBy }) => (
      <span className={styles.name}>
        <Time at={createdAt} />
        <span>by {createdBy.label}</span>
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status, problem, missing }) => (
      <span className={styles.name}>
        <span>
          <Badge tone={STATES[status].tone}>{STATES[status].text}</Badge>
        </span>
        {problem !== null && <small>{problem}</small>}
        {missing.map(({ contentType, permission, remedy }) => (
          <small key={contentType}>
            {permission} is missing. {remedy}
          </small>
        ))}
      </span>
    ),
  },
  {
    key: 'assets',
    header: 'Assets',
    align: 'end',
    cell: ({ assets }) => (assets === null ? '–' : count(assets)),
  },
  {
    key: 'duration',
    header: 'Duration',
    show: 'wide',
    align: 'end',
    cell: ({ seconds }) => (seconds === null ? '–' : `${seconds.toFixed(1)} s`),
  },
  { key: 'parent', header: 'Parent', show: 'wide', cell: ({ parent }) => <code>{parent}</code> },
];
