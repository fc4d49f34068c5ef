import type { Schedule } from '@cspm/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { scheduleColumns } from './schedule-columns.tsx';

/** Loaded when it is opened: it evaluates cron expressions. */
const ScheduleDialog = lazy(async () => ({
  default: (await import('./ScheduleDialog.tsx')).ScheduleDialog,
}));

const SCHEDULES = ['schedules'];

/** Scans at the times of a cron expression: list, create, change, enable and disable, delete. */
export function SchedulesPage() {
  const can = useCan();
  if (!can('scans.launch')) return <Forbidden permission="scans.launch" />;
  return <Schedules />;
}

function Schedules() {
  const [editing, setEditing] = useState<Schedule | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Schedule | null>(null);
  const queryClient = useQueryClient();
  const schedules = useInfiniteQuery({
    queryKey: SCHEDULES,
    queryFn: ({ pageParam }) => api.schedules.list({ cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: SCHEDULES });
  const toggle = async ({ id, enabled: before }: Schedule) => {
    const enabled = !before;
    // Somebody may have changed it since the list was loaded.
    const { name, projects, profile, cron, timezone, pullFirst } = await api.schedules.get({ id });
    const content = { name, projects, profile, cron, timezone, pullFirst, enabled };
    await api.schedules.update({ id, ...content });
    await reload();
    toast(`Schedule “${name}” ${enabled ? 'enabled' : 'disabled'}`);
  };
  const create = (
    <Button kind="primary" onClick={() => setEditing('new')}>
      <Plus size={15} aria-hidden />
      Create schedule
    </Button>
  );
  return (
    <Page
      title="Schedules"
      subtitle="Scans that start by themselves, with the permissions of their owner."
      actions={create}
    >
      <Loaded query={schedules}>
        <Table
          label="Schedules"
          columns={scheduleColumns({
            onEdit: setEditing,
            onToggle: toggle,
            onDelete: setDeleting,
          })}
          rows={schedules.data?.pages.flatMap(({ items }) => items)}
          rowKey={({ id }) => id}
          onMore={schedules.hasNextPage ? () => void schedules.fetchNextPage() : undefined}
          isLoadingMore={schedules.isFetchingNextPage}
          empty={
            <EmptyState
              icon={<CalendarClock size={28} strokeWidth={1.4} aria-hidden />}
              title="There are no schedules"
            >
              <p>Create one to scan projects every night or at other times.</p>
            </EmptyState>
          }
        />
      </Loaded>
      <Suspense>
        {editing !== null && (
          <ScheduleDialog
            schedule={editing === 'new' ? null : editing}
            onClose={() => setEditing(null)}
            onSaved={reload}
          />
        )}
      </Suspense>
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete “${deleting?.name ?? ''}”?`}
        confirm="Delete schedule"
        danger
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          if (deleting === null) return;
          await api.schedules.delete({ id: deleting.id });
          await reload();
          toast('Schedule deleted');
        }}
      >
        No further scans are launched. Scans that it has launched stay.
      </ConfirmDialog>
    </Page>
  );
}
