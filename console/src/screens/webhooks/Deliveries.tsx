import type { WebhookDelivery } from '@cspm/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { api } from '../../session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Badge, Button, Hidden, type Tone } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { DeliveryDetails } from './DeliveryDetails.tsx';
import styles from './Webhooks.module.css';
import { WEBHOOKS } from './webhooks-query.ts';

/** How often the list is loaded again while an attempt is due. */
const EVERY_MS = 3_000;

/** The deliveries of a webhook, newest first, each with its attempts. */
export function Deliveries({ webhookId: id }: { readonly webhookId: string }) {
  const [shown, setShown] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const deliveries = useInfiniteQuery({
    queryKey: [...WEBHOOKS, 'deliveries', id],
    queryFn: ({ pageParam }) => api.webhooks.deliveries({ id, cursor: pageParam, limit: 25 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Each page is a request, so more pages are loaded again less often.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isDue)) && EVERY_MS * data.pages.length,
  });
  const redeliver = async ({ id: deliveryId, type }: WebhookDelivery) => {
    await api.webhooks.redeliver({ id, deliveryId });
    await queryClient.invalidateQueries({ queryKey: WEBHOOKS });
    toast(`Event ${type} queued again`);
  };
  const rows = deliveries.data?.pages.flatMap(({ items }) => items);
  const open = rows?.find((one) => one.id === shown);
  return (
    <Card title="Deliveries" subtitle="Newest first. Deliveries are kept for 30 days.">
      <Loaded query={deliveries}>
        <Table
          label="Deliveries of the webhook"
          columns={columns(({ id: delivery }) => setShown(delivery), redeliver)}
          rows={rows}
          rowKey={(delivery) => delivery.id}
          onMore={deliveries.hasNextPage ? () => void deliveries.fetchNextPage() : undefined}
          isLoadingMore={deliveries.isFetchingNextPage}
          empty={
            <EmptyState title="Nothing has been sent">
              <p>Send a test to see whether the receiver accepts events.</p>
            </EmptyState>
          }
        />
      </Loaded>
      <Dialog
        open={open !== undefined}
        title={open?.type ?? ''}
        size="wide"
        onClose={() => setShown(null)}
      >
        {open !== undefined && <DeliveryDetails delivery={open} />}
      </Dialog>
    </Card>
  );
}

/** Whether the first attempt has not ended, or the next one begins soon. */
function isDue({ status, attempts, nextAttemptAt }: WebhookDelivery): boolean {
  if (status !== 'pending') return false;
  const isSoon = nextAttemptAt !== null && Date.parse(nextAttemptAt) - Date.now() < 10_000;
  return attempts.length === 0 || isSoon;
}

const STATES: Record<WebhookDelivery['status'], { tone: Tone | undefined; text: string }> = {
  pending: { tone: undefined, text: 'Pending' },
  delivered: { tone: 'good', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Failed' },
};

function columns(
  onShow: (delivery: WebhookDelivery) => void,
  onRedeliver: (delivery: WebhookDelivery) => Promise<unknown>,
): readonly Column<WebhookDelivery>[] {
  return [
    {
      key: 'event',
      header: 'Event',
      cell: ({ type, createdAt }) => (
        <span className={styles.name}>
          <code>{type}</code>
          <span>
            <Time at={createdAt} />
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ status, nextAttemptAt, attempts }) => (
        <span className={styles.name}>
          <span>
            <Badge tone={STATES[status].tone}>{STATES[status].text}</Badge>
          </span>
          {status === 'pending' && attempts.length > 0 && nextAttemptAt !== null && (
            <span>
              Next attempt <Time at={nextAttemptAt} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'answer',
      header: 'Last answer',
      show: 'wide',
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        if (last === undefined) return '–';
        return last.problem ?? `HTTP ${last.status}`;
      },
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (delivery) => (
        <span className={styles.actions}>
          <Button onClick={() => onShow(delivery)}>
            Attempts: {count(delivery.attempts.length)}
            <Hidden> of {delivery.type}</Hidden>
          </Button>
          <ActionButton action={() => onRedeliver(delivery)}>
            Deliver again<Hidden> {delivery.type}</Hidden>
          </ActionButton>
        </span>
      ),
    },
  ];
}
