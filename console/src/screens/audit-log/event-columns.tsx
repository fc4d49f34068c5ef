import type { AuditEvent } from '@cspm/sdk';
import { dateTime } from '../../lib/format.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './AuditLogPage.module.css';
import { actionText } from './actions.ts';
import { KIND_TEXT } from './kinds.ts';

export function eventColumns(
  onShow: (event: AuditEvent) => void,
  onActor: (actor: string) => void,
): readonly Column<AuditEvent>[] {
  return [
    { key: 'time', header: 'Time', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'event',
      header: 'Event',
      cell: ({ action }) => (
        <span className={styles.event}>
          <b>{actionText(action)}</b>
          <code>{action}</code>
        </span>
      ),
    },
    {
      key: 'outcome',
      header: 'Outcome',
      cell: ({ outcome }) =>
        outcome === 'success' ? (
          <Badge tone="good">Success</Badge>
        ) : (
          <Badge tone="bad">Refused</Badge>
        ),
    },
    {
      key: 'actor',
      header: 'Actor',
      show: 'wide',
      cell: ({ actor }) => (
        <button
          type="button"
          className={styles.actor}
          title="Show only this actor"
          onClick={() => onActor(actor.id ?? actor.kind)}
        >
          {actorText(actor)}
        </button>
      ),
    },
    { key: 'ip', header: 'Address', show: 'wide', cell: ({ ip }) => ip },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (event) => (
        <Button
          kind="quiet"
          onClick={() => onShow(event)}
          aria-label={`Details of ${actionText(event.action)}, ${dateTime(event.at)}, ${event.ip}`}
        >
          Details
        </Button>
      ),
    },
  ];
}

export function actorText({ kind, label, id }: AuditEvent['actor']): string {
  return label ?? id ?? KIND_TEXT[kind] ?? kind;
}
