import type { Webhook } from '@cspm/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { webhookColumns } from './webhook-columns.tsx';
import { WEBHOOKS } from './webhooks-query.ts';

const WebhookDialog = lazyPart(async () => (await import('./WebhookDialog.tsx')).WebhookDialog);

/** Events sent to other systems: list, create, change, enable and disable, delete. */
export function WebhooksPage() {
  const can = useCan();
  if (!can('admin.settings')) return <Forbidden permission="admin.settings" />;
  return <Webhooks />;
}

function Webhooks() {
  const [editing, setEditing] = useState<Webhook | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Webhook | null>(null);
  const queryClient = useQueryClient();
  const webhooks = useInfiniteQuery({
    queryKey: [...WEBHOOKS, 'list'],
    queryFn: ({ pageParam }) => api.webhooks.list({ cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: WEBHOOKS });
  const toggle = async ({ id, enabled: before }: Webhook) => {
    const enabled = !before;
    // Somebody may have changed it since the list was loaded.
    const { url, events, description, format } = await api.webhooks.get({ id });
    await api.webhooks.update({ id, url, events, description, format, enabled });
    await reload();
    toast(`Webhook “${url}” ${enabled ? 'enabled' : 'disabled'}`);
  };
  const create = (
    <Button kind="primary" onClick={() => setEditing('new')}>
      <Plus size={15} aria-hidden />
      Create webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      subtitle="Send events such as new findings to other systems."
      actions={create}
    >
      <Loaded query={webhooks}>
        <Table
          label="Webhooks"
          columns={webhookColumns({
            onEdit: setEditing,
            onToggle: toggle,
            onDelete: setDeleting,
          })}
          rows={webhooks.data?.pages.flatMap(({ items }) => items)}
          rowKey={({ id }) => id}
          onMore={webhooks.hasNextPage ? () => void webhooks.fetchNextPage() : undefined}
          isLoadingMore={webhooks.isFetchingNextPage}
          empty={
            <EmptyState
              icon={<WebhookIcon size={28} strokeWidth={1.4} aria-hidden />}
              title="There are no webhooks"
            >
              <p>Create one to send events to a chat, a ticket system or your own program.</p>
            </EmptyState>
          }
        />
      </Loaded>
      {editing !== null && (
        <WebhookDialog
          webhook={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={reload}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title="Delete this webhook?"
        confirm="Delete webhook"
        danger
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          if (deleting === null) return;
          await api.webhooks.delete({ id: deleting.id });
          await reload();
          toast('Webhook deleted');
        }}
      >
        Nothing more is sent to {deleting?.url}. Its deliveries are deleted with it.
      </ConfirmDialog>
    </Page>
  );
}
