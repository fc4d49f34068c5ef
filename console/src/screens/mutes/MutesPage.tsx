import type { Mute } from '@cspm/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BellOff, Plus } from 'lucide-react';
import { useState } from 'react';
import { findingsSearchLink } from '../../parts/policy-links.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { coverageText } from './Coverage.tsx';
import { CreateMuteDialog } from './CreateMuteDialog.tsx';
import styles from './MutesPage.module.css';
import { muteColumns } from './mute-columns.tsx';

const route = getRouteApi('/app/mutes');
const MUTES = ['mutes'];

const TABS = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
] as const;

/** The mutes of the tenant: list, create, delete. */
export function MutesPage() {
  const can = useCan();
  if (!can('findings.read')) return <Forbidden permission="findings.read" />;
  return <Mutes mayMute={can('findings.mute')} />;
}

function Mutes({ mayMute }: { readonly mayMute: boolean }) {
  const { view, muteRule, finding } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Mute | null>(null);
  const queryClient = useQueryClient();
  const active = view !== 'expired';
  const mutes = useInfiniteQuery({
    queryKey: [...MUTES, { active, finding }],
    queryFn: ({ pageParam }) => api.mutes.list({ active, finding, cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  /** A mute decides which findings are shown as open. */
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: MUTES }),
      queryClient.invalidateQueries({ queryKey: ['findings'], refetchType: 'none' }),
    ]);
  const closeForm = (isLeaving = false) => {
    setCreating(false);
    if (muteRule !== undefined && !isLeaving) {
      void navigate({ search: (old) => ({ ...old, muteRule: undefined }), replace: true });
    }
  };
  const create = mayMute && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      Create mute
    </Button>
  );
  return (
    <Page
      title="Mutes"
      subtitle="A mute accepts findings until a date. They stay open, and lists can leave them out."
      query={JSON.stringify({ active, finding })}
      actions={create}
    >
      {finding !== undefined && (
        <p className={styles.only}>
          Only the mutes of one finding. <FindingLink id={finding} />{' '}
          <Link to="/mutes">Show all mutes</Link>
        </p>
      )}
      <Tabs
        label="State"
        tabs={TABS}
        value={active ? 'active' : 'expired'}
        onChange={(next) =>
          void navigate({ search: { finding, view: next === 'expired' ? 'expired' : undefined } })
        }
        panelClassName={styles.panel}
      >
        <Loaded query={mutes}>
          <Table
            label={active ? 'Active mutes' : 'Expired mutes'}
            columns={muteColumns({ active, onDelete: mayMute ? setDeleting : undefined })}
            rows={mutes.data?.pages.flatMap(({ items }) => items)}
            rowKey={({ id }) => id}
            onMore={mutes.hasNextPage ? () => void mutes.fetchNextPage() : undefined}
            isLoadingMore={mutes.isFetchingNextPage}
            empty={
              <EmptyState
                icon={<BellOff size={28} strokeWidth={1.4} aria-hidden />}
                title={active ? 'There are no active mutes' : 'No mute has expired'}
                actions={active && create}
              >
                <p>
                  {active
                    ? 'Mute a finding in the list of findings, or create a mute for a rule, an asset pattern or a project.'
                    : 'Mutes are listed here after their end.'}
                </p>
              </EmptyState>
            }
          />
        </Loaded>
      </Tabs>
      {mayMute && (isCreating || muteRule !== undefined) && (
        <CreateMuteDialog rule={muteRule} onClose={closeForm} onCreated={reload} />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title="Delete this mute?"
        confirm="Delete mute"
        danger
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          if (deleting === null) return;
          await api.mutes.delete({ id: deleting.id });
          await reload();
          toast('Mute deleted');
        }}
      >
        {deleting !== null && <b>{coverageText(deleting)}. </b>}
        {active ? 'Its findings are no longer muted.' : 'It no longer mutes anything.'}
      </ConfirmDialog>
    </Page>
  );
}

/** Opens the finding in a list of itself: a resolved one is not among the muted findings. */
function FindingLink({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: ['findings', 'one', id],
    queryFn: () => api.findings.get({ id }),
  });
  if (data === undefined) return null;
  const { fingerprint } = data;
  return <Link {...findingsSearchLink({ fingerprint, open: id })}>Open the finding</Link>;
}
