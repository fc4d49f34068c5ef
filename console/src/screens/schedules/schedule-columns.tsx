import type { Schedule } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { ScanStatus } from '../../parts/ScanStatus.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Badge, Button } from '../../ui/Button.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './SchedulesPage.module.css';

interface Actions {
  readonly onEdit: (schedule: Schedule) => void;
  readonly onToggle: (schedule: Schedule) => Promise<unknown>;
  readonly onDelete: (schedule: Schedule) => void;
}

export function scheduleColumns({
  onEdit,
  onToggle,
  onDelete,
}: Actions): readonly Column<Schedule>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      cell: ({ name, cron, timezone, disabledReason }) => (
        <span className={styles.name}>
          <b>{name}</b>
          <span>
            <code>{cron}</code> {timezone}
          </span>
          {disabledReason !== null && <small>{disabledReason.message}</small>}
        </span>
      ),
    },
    {
      key: 'projects',
      header: 'Projects',
      show: 'wide',
      cell: ({ projects, profile, pullFirst }) => (
        <span className={styles.name}>
          <span>{shortList(projects)}</span>
          <span>{profile}</span>
          {pullFirst && <span>Pulls inventories first</span>}
        </span>
      ),
    },
    {
      key: 'next',
      header: 'Next run',
      cell: ({ nextRunAt }) =>
        nextRunAt === null ? <Badge>Disabled</Badge> : <Time at={nextRunAt} />,
    },
    {
      key: 'last',
      header: 'Last run',
      show: 'wide',
      cell: ({ lastRun }) => <LastRun run={lastRun} />,
    },
    {
      key: 'owner',
      header: 'Acts for',
      show: 'wide',
      cell: ({ createdBy }) => createdBy.label,
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (schedule) => (
        <span className={styles.actions}>
          <Button onClick={() => onEdit(schedule)} aria-label={`Edit ${schedule.name}`}>
            Edit
          </Button>
          <ActionButton
            action={() => onToggle(schedule)}
            aria-label={`${schedule.enabled ? 'Disable' : 'Enable'} ${schedule.name}`}
          >
            {schedule.enabled ? 'Disable' : 'Enable'}
          </ActionButton>
          <Button onClick={() => onDelete(schedule)} aria-label={`Delete ${schedule.name}`}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
}

function LastRun({ run }: { readonly run: Schedule['lastRun'] }) {
  if (run === null) return 'Never';
  const { at, scanId, status, problem } = run;
  return (
    <span className={styles.name}>
      <span className={styles.run}>
        {status === 'blocked' || status === 'deleted' ? (
          <Badge tone={status === 'blocked' ? 'bad' : undefined}>
            {status === 'blocked' ? 'Blocked' : 'Scan deleted'}
          </Badge>
        ) : (
          <ScanStatus status={status} />
        )}
        {scanId === null || status === 'deleted' ? (
          <Time at={at} />
        ) : (
          <Link to="/scans/$id" params={{ id: scanId }}>
            <Time at={at} />
          </Link>
        )}
      </span>
      {problem !== null && <small>{problem}</small>}
    </span>
  );
}

const SHOWN_PROJECTS = 2;

function shortList(names: readonly string[]): string {
  const more = names.length - SHOWN_PROJECTS;
  const shown = names.slice(0, SHOWN_PROJECTS).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
