import type { Mute } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { mutedFindingsLink } from '../../parts/policy-links.ts';
import { Badge, Button, buttonLook } from '../../ui/Button.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { Coverage, coverageText } from './Coverage.tsx';
import styles from './MutesPage.module.css';

/** A mute that ends within this time is marked. */
const SOON_MS = 7 * 86_400_000;

interface Options {
  readonly active: boolean;
  /** Left out: the person may not delete mutes. */
  readonly onDelete: ((mute: Mute) => void) | undefined;
}

export function muteColumns({ active, onDelete }: Options): readonly Column<Mute>[] {
  return [
    {
      key: 'covers',
      header: 'Covers',
      cell: (mute) => <Coverage mute={mute} />,
    },
    {
      key: 'reason',
      header: 'Reason',
      show: 'wide',
      cell: ({ reason }) => <span className={styles.reason}>{reason}</span>,
    },
    {
      key: 'by',
      header: 'Created',
      show: 'wide',
      cell: ({ createdBy, createdAt }) => (
        <span className={styles.created}>
          <span>{createdBy.label}</span>
          <small>
            <Time at={createdAt} />
          </small>
        </span>
      ),
    },
    {
      key: 'until',
      header: active ? 'Ends' : 'Ended',
      cell: ({ expiresAt }) => (
        <span className={styles.ends}>
          <Time at={expiresAt} />
          {active && endsSoon(expiresAt) && <Badge tone="warn">Soon</Badge>}
        </span>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (mute) => (
        <span className={styles.actions}>
          {active && (
            <Link
              {...mutedFindingsLink(mute)}
              {...buttonLook('quiet')}
              aria-label={`Findings of the mute: ${coverageText(mute)}`}
            >
              Findings
            </Link>
          )}
          {onDelete !== undefined && (
            <Button onClick={() => onDelete(mute)} aria-label={`Delete ${coverageText(mute)}`}>
              Delete
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function endsSoon(expiresAt: string): boolean {
  return Date.parse(expiresAt) - Date.now() < SOON_MS;
}
