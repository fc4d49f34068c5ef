import type { Session } from '@cspm/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dateTime } from '../../lib/format.ts';
import { useIdentity } from '../../queries.ts';
import { api, signOutEverywhere } from '../../session.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Section } from '../../ui/Section.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './AccountPage.module.css';

const KEY = ['sessions'];

export function SessionsSection() {
  const { memberships } = useIdentity();
  const queryClient = useQueryClient();
  const [ending, setEnding] = useState<Session | 'all' | null>(null);
  const sessions = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam }) => api.sessions.list({ cursor: pageParam, limit: 50 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const end = async () => {
    if (ending === null) return;
    if (ending === 'all') {
      await signOutEverywhere();
      return;
    }
    await api.sessions.revoke({ id: ending.id });
    await queryClient.invalidateQueries({ queryKey: KEY });
    toast('Session ended');
  };
  return (
    <Section
      title="Sessions"
      text="Your sign-ins in every browser and every tenant."
      actions={<Button onClick={() => setEnding('all')}>Sign out everywhere</Button>}
    >
      <Loaded query={sessions}>
        <Table
          label="Active sessions"
          columns={columns(
            (id) => memberships.find(({ tenantId }) => tenantId === id)?.tenantName ?? id,
            setEnding,
          )}
          rows={sessions.data?.pages.flatMap(({ items }) => items)}
          rowKey={({ id }) => id}
          onMore={sessions.hasNextPage ? () => void sessions.fetchNextPage() : undefined}
          isLoadingMore={sessions.isFetchingNextPage}
          empty={<EmptyState title="You have no sessions" />}
        />
      </Loaded>
      <ConfirmDialog
        open={ending !== null}
        title={ending === 'all' ? 'Sign out everywhere?' : 'End this session?'}
        confirm={ending === 'all' ? 'Sign out everywhere' : 'End session'}
        danger
        onClose={() => setEnding(null)}
        onConfirm={end}
      >
        {ending === 'all'
          ? 'All your sessions end at once, in every browser and every tenant, including this one. Your API keys keep working.'
          : 'The browser or program that uses it is refused from the next request on.'}
      </ConfirmDialog>
    </Section>
  );
}

function columns(
  tenantOf: (id: string) => string,
  onEnd: (session: Session) => void,
): readonly Column<Session>[] {
  return [
    {
      key: 'started',
      header: 'Started',
      cell: ({ createdAt, current, mfa, tenantId }) => (
        <span className={styles.started}>
          <Time at={createdAt} />
          {current && <Badge tone="new">This session</Badge>}
          {mfa && <Badge tone="good">2FA</Badge>}
          <small>{tenantOf(tenantId)}</small>
        </span>
      ),
    },
    { key: 'used', header: 'Renewed', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    {
      key: 'expires',
      header: 'Expires',
      show: 'wide',
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (session) =>
        session.current ? null : (
          <Button
            onClick={() => onEnd(session)}
            aria-label={`End the session started ${dateTime(session.createdAt)}`}
          >
            End
          </Button>
        ),
    },
  ];
}
