import type { Webhook } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { plural } from '../../lib/format.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/Button.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { WebhookState } from './WebhookState.tsx';
import styles from './Webhooks.module.css';

interface Actions {
  readonly onEdit: (webhook: Webhook) => void;
  readonly onToggle: (webhook: Webhook) => Promise<unknown>;
  readonly onDelete: (webhook: Webhook) => void;
}

export function webhookColumns({
  onEdit,
  onToggle,
  onDelete,
}: Actions): readonly Column<Webhook>[] {
  return [
    {
      key: 'url',
      header: 'URL',
      cell: ({ id, url, description, disabledReason }) => (
        <span className={styles.name}>
          <Link to="/webhooks/$id" params={{ id }}>
            {url}
          </Link>
          {description !== '' && <span>{description}</span>}
          {disabledReason !== null && <small>{disabledReason.message}</small>}
        </span>
      ),
    },
    {
      key: 'events',
      header: 'Events',
      show: 'wide',
      cell: ({ events }) => <span title={events.join('\n')}>{plural(events.length, 'event')}</span>,
    },
    { key: 'state', header: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      key: 'created',
      header: 'Created',
      show: 'wide',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (webhook) => (
        <span className={styles.actions}>
          <Button onClick={() => onEdit(webhook)} aria-label={`Edit ${webhook.url}`}>
            Edit
          </Button>
          <ActionButton
            action={() => onToggle(webhook)}
            aria-label={`${webhook.enabled ? 'Disable' : 'Enable'} ${webhook.url}`}
          >
            {webhook.enabled ? 'Disable' : 'Enable'}
          </ActionButton>
          <Button onClick={() => onDelete(webhook)} aria-label={`Delete ${webhook.url}`}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
}
