import type { User } from '@cspm/sdk';
import { Ellipsis } from 'lucide-react';
import { Badge, Button, type Tone } from '../../ui/Button.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './PeoplePage.module.css';

export type PersonAction = 'role' | 'resend' | 'disable' | 'enable' | 'withdraw' | 'remove';

const STATUS: Record<User['status'], { readonly label: string; readonly tone?: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  invited: { label: 'Invited', tone: 'new' },
  disabled: { label: 'Disabled' },
};

/** @param selfId the person who looks at the list; they cannot change themselves. */
export function personColumns(
  selfId: string | undefined,
  onAction: (action: PersonAction, person: User) => void,
): readonly Column<User>[] {
  return [
    {
      key: 'person',
      header: 'Person',
      cell: ({ name, email }) => (
        <span className={styles.person}>
          <b>{name ?? email}</b>
          {name !== null && <small>{email}</small>}
        </span>
      ),
    },
    { key: 'role', header: 'Role', cell: ({ role }) => role },
    {
      key: 'status',
      header: 'Status',
      cell: ({ status }) => <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>,
    },
    {
      key: 'two-factor',
      header: '2FA',
      show: 'wide',
      cell: ({ status, twoFactorEnabled }) => {
        if (status === 'invited') return null;
        return twoFactorEnabled ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>;
      },
    },
    {
      key: 'last',
      header: 'Last sign-in',
      show: 'wide',
      cell: ({ lastLoginAt }) => (lastLoginAt === null ? 'Never' : <Time at={lastLoginAt} />),
    },
    {
      key: 'added',
      header: 'Added',
      show: 'wide',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (person) =>
        person.id === selfId ? (
          <Badge>You</Badge>
        ) : (
          <Menu
            align="end"
            trigger={
              <Button kind="quiet" square aria-label={`Actions for ${person.email}`}>
                <Ellipsis size={16} aria-hidden />
              </Button>
            }
            groups={[{ items: actionsFor(person, onAction) }]}
          />
        ),
    },
  ];
}

function actionsFor(
  person: User,
  onAction: (action: PersonAction, person: User) => void,
): readonly MenuItem[] {
  const items: MenuItem[] = [{ label: 'Change role', onSelect: () => onAction('role', person) }];
  if (person.status === 'invited') {
    items.push({ label: 'Send the invitation again', onSelect: () => onAction('resend', person) });
  }
  if (person.status === 'active') {
    items.push({ label: 'Disable', onSelect: () => onAction('disable', person) });
  }
  if (person.status === 'disabled') {
    items.push({ label: 'Enable', onSelect: () => onAction('enable', person) });
  }
  const isInvited = person.status === 'invited';
  items.push({
    label: isInvited ? 'Withdraw the invitation' : 'Remove',
    danger: true,
    onSelect: () => onAction(isInvited ? 'withdraw' : 'remove', person),
  });
  return items;
}
