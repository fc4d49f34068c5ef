import type { Role, User } from '@cspm/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { type Once, useOnce } from '../../lib/use-once.ts';
import { useCan, useIdentity } from '../../queries.ts';
import { rolesQuery } from '../../queries-roles.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { type PersonAction, personColumns } from './person-columns.tsx';
import { RoleDialog } from './RoleDialog.tsx';

const KEY = ['users'];

/** The members of the tenant: invite, change the role, disable, remove. */
export function PeoplePage() {
  const can = useCan();
  if (!can('admin.users')) return <Forbidden permission="admin.users" />;
  return <People />;
}

function People() {
  const { user: self, permissions } = useIdentity();
  const queryClient = useQueryClient();
  const [isInviting, setInviting] = useState(false);
  const [chosen, setChosen] = useState<{ action: PersonAction; person: User } | null>(null);
  const roles = useQuery(rolesQuery);
  const people = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam }) => api.users.list({ cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: KEY });
  const close = () => setChosen(null);
  const offered = (roles.data ?? []).filter((role) => isWithin(role, permissions));
  return (
    <Page
      title="People"
      subtitle="The members of your tenant and their roles."
      actions={
        <Button kind="primary" onClick={() => setInviting(true)}>
          <UserPlus size={15} aria-hidden />
          Invite
        </Button>
      }
    >
      <Loaded query={people}>
        <Table
          label="People"
          columns={personColumns(self?.id, (action, person) => setChosen({ action, person }))}
          rows={people.data?.pages.flatMap(({ items }) => items)}
          rowKey={({ id }) => id}
          onMore={people.hasNextPage ? () => void people.fetchNextPage() : undefined}
          isLoadingMore={people.isFetchingNextPage}
          empty={
            <EmptyState
              icon={<Users size={28} strokeWidth={1.4} aria-hidden />}
              title="Your tenant has no members"
            >
              <p>Invite somebody by e-mail.</p>
            </EmptyState>
          }
        />
      </Loaded>
      {isInviting && (
        <InviteDialog roles={offered} onClose={() => setInviting(false)} onDone={reload} />
      )}
      {chosen?.action === 'role' && (
        <RoleDialog person={chosen.person} roles={offered} onClose={close} onDone={reload} />
      )}
      {chosen !== null && chosen.action !== 'role' && (
        <ActionQuestion
          action={chosen.action}
          person={chosen.person}
          onClose={close}
          onDone={reload}
        />
      )}
    </Page>
  );
}

type ConfirmedAction = Exclude<PersonAction, 'role'>;

interface QuestionProps {
  readonly action: ConfirmedAction;
  readonly person: User;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

function ActionQuestion({ action, person, onClose, onDone }: QuestionProps) {
  const once = useOnce();
  return (
    <ConfirmDialog
      open
      title={titleOf(action, person)}
      confirm={VERBS[action]}
      danger={action !== 'enable' && action !== 'resend'}
      onClose={onClose}
      onConfirm={async () => {
        await perform(action, person.id, once);
        await onDone();
        toast(DONE[action]);
      }}
    >
      {EFFECTS[action]}
    </ConfirmDialog>
  );
}

const VERBS = {
  resend: 'Send again',
  disable: 'Disable',
  enable: 'Enable',
  withdraw: 'Withdraw',
  remove: 'Remove',
};
const DONE = {
  resend: 'Invitation sent',
  disable: 'Disabled',
  enable: 'Enabled',
  withdraw: 'Invitation withdrawn',
  remove: 'Removed',
};
const EFFECTS = {
  resend:
    'They get a new link, which is valid for 7 days. The links of earlier mails stop working.',
  disable: 'Their sessions end, and they cannot sign in to your tenant until you enable them.',
  enable: 'They can sign in to your tenant again.',
  withdraw: 'The link in the mail stops working. You can invite them again later.',
  remove:
    'Their sessions and API keys in your tenant are deleted at once. Their personal data in your tenant is erased. This cannot be undone.',
};

function titleOf(action: ConfirmedAction, { name, email }: User): string {
  if (action === 'resend') return `Send the invitation to ${email} again?`;
  if (action === 'withdraw') return `Withdraw the invitation to ${email}?`;
  return `${VERBS[action]} ${name ?? email}?`;
}

async function perform(action: ConfirmedAction, id: string, once: Once): Promise<void> {
  if (action === 'remove' || action === 'withdraw') await api.users.delete({ id });
  else if (action === 'resend') await once(api.users.resendInvitation, { id });
  else await api.users.update({ id, status: action === 'disable' ? 'disabled' : 'active' });
}

/** Nobody can give a role with a permission that they lack. */
function isWithin(role: Role, permissions: readonly string[]): boolean {
  return role.permissions.every((permission) => permissions.includes(permission));
}
