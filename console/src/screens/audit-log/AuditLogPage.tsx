import type { AuditEvent } from '@cspm/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useAction } from '../../lib/use-action.ts';
import { useCan, useIdentity } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { EventDialog } from './EventDialog.tsx';
import { eventColumns } from './event-columns.tsx';
import { Filters } from './Filters.tsx';
import { type AuditSearch, filtersOf, NO_FILTERS } from './search.ts';

const route = getRouteApi('/app/audit-log');

/** The audit trail of the tenant, with filters in the address. */
export function AuditLogPage() {
  const can = useCan();
  if (!can('admin.audit')) return <Forbidden permission="admin.audit" />;
  return <AuditLog />;
}

function AuditLog() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { tenant } = useIdentity();
  const [shown, setShown] = useState<AuditEvent | null>(null);
  const filters = filtersOf(search);
  const events = useInfiniteQuery({
    queryKey: ['audit-events', filters],
    queryFn: ({ pageParam }) => api.auditEvents.list({ ...filters, cursor: pageParam, limit: 50 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const change = (next: Partial<AuditSearch>) =>
    void navigate({ to: '/audit-log', search: { ...search, ...next }, replace: true });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const rows = events.data?.pages.flatMap(({ items }) => items);
  return (
    <Page
      title="Audit log"
      subtitle="Every change and every sign-in of your members, including refused ones."
      actions={tenant.features.includes('audit_export') && <Export search={search} />}
      query={JSON.stringify(filters)}
    >
      <Filters search={search} events={rows ?? []} onChange={change} />
      <Loaded query={events}>
        <Table
          label="Audit events"
          columns={eventColumns(setShown, (actor) => change({ actor }))}
          rows={rows}
          rowKey={({ id }) => id}
          onMore={events.hasNextPage ? () => void events.fetchNextPage() : undefined}
          isLoadingMore={events.isFetchingNextPage}
          empty={
            <EmptyState
              icon={<ScrollText size={28} strokeWidth={1.4} aria-hidden />}
              title={isFiltered ? 'No event matches the filters' : 'There are no events yet'}
              actions={
                isFiltered && <Button onClick={() => change(NO_FILTERS)}>Clear the filters</Button>
              }
            />
          }
        />
      </Loaded>
      {shown !== null && <EventDialog event={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

/** Saves all events that match the filters, not only the loaded ones. */
function Export({ search }: { readonly search: AuditSearch }) {
  const run = useAction(async () => {
    const chunks: string[] = [];
    try {
      for await (const chunk of api.auditEvents.export(filtersOf(search))) chunks.push(chunk);
    } catch (error) {
      toast(errorText(error), { tone: 'bad' });
      return;
    }
    saveFile('audit-events.ndjson', new Blob(chunks), 'application/x-ndjson');
  });
  return (
    <Button busy={run.isBusy} onClick={() => run.run()}>
      <Download size={15} aria-hidden />
      Export
    </Button>
  );
}
