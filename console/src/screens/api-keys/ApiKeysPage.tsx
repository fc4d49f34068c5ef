import type { ApiKey } from '@cspm/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './ApiKeysPage.module.css';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';

const KEYS = ['api-keys'];

/** The API keys of the person: list, create (the secret is shown once), revoke. */
export function ApiKeysPage() {
  const can = useCan();
  if (!can('keys.own')) return <Forbidden permission="keys.own" />;
  return <Keys />;
}

function Keys() {
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const queryClient = useQueryClient();
  const keys = useInfiniteQuery({
    queryKey: KEYS,
    queryFn: ({ pageParam }) => api.apiKeys.list({ cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: KEYS });
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      Create key
    </Button>
  );
  return (
    <Page
      title="API keys"
      subtitle="Keys let programs act as you. They have the permissions of your role."
      actions={create}
    >
      <Loaded query={keys}>
        <Table
          label="API keys"
          columns={columns(setRevoking)}
          rows={keys.data?.pages.flatMap(({ items }) => items)}
          rowKey={({ id }) => id}
          onMore={keys.hasNextPage ? () => void keys.fetchNextPage() : undefined}
          isLoadingMore={keys.isFetchingNextPage}
          empty={
            <EmptyState
              icon={<KeyRound size={28} strokeWidth={1.4} aria-hidden />}
              title="You have no API keys"
            >
              <p>Create one to call the API from a program or the command line.</p>
            </EmptyState>
          }
        />
      </Loaded>
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} onCreated={reload} />}
      <ConfirmDialog
        open={revoking !== null}
        title={`Revoke “${revoking?.name ?? ''}”?`}
        confirm="Revoke key"
        danger
        onClose={() => setRevoking(null)}
        onConfirm={async () => {
          if (revoking === null) return;
          await api.apiKeys.revoke({ id: revoking.id });
          await reload();
          toast('Key revoked');
        }}
      >
        Programs that use it are refused from the next request on. This cannot be undone.
      </ConfirmDialog>
    </Page>
  );
}

function columns(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      cell: ({ name, prefix }) => (
        <span className={styles.name}>
          <b>{name}</b>
          <code>{prefix}…</code>
        </span>
      ),
    },
    {
      key: 'created',
      header: 'Created',
      show: 'wide',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    },
    {
      key: 'expires',
      header: 'Expires',
      show: 'wide',
      cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />),
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (key) => (
        <Button onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      ),
    },
  ];
}
