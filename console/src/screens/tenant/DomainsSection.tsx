import type { Domain } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../session.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Section } from '../../ui/Section.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { DomainDialog } from './DomainDialog.tsx';
import styles from './TenantPage.module.css';

const KEY = ['domains'];

/** E-mail domains, which the tenant proves by a DNS record. */
export function DomainsSection() {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Domain | 'new' | null>(null);
  const [removing, setRemoving] = useState<Domain | null>(null);
  const domains = useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.domains.list()).items,
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: KEY });
  const verify = async (domain: string, isShown: () => boolean) => {
    try {
      await api.domains.verify({ domain });
      toast('Domain verified');
      if (isShown()) setOpen(null);
    } finally {
      await reload();
    }
  };
  return (
    <Section
      title="E-mail domains"
      text="Your identity provider may sign in existing accounts with addresses of a verified domain."
      actions={<Button onClick={() => setOpen('new')}>Add domain</Button>}
    >
      <Loaded query={domains}>
        <Table
          label="Domains of your tenant"
          columns={columns(setOpen, setRemoving)}
          rows={domains.data}
          rowKey={({ domain }) => domain}
          empty={
            <EmptyState
              icon={<Globe size={28} strokeWidth={1.4} aria-hidden />}
              title="No domains yet"
            >
              <p>Add the part of your addresses after the @.</p>
            </EmptyState>
          }
        />
      </Loaded>
      {open !== null && (
        <DomainDialog
          domain={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onAdded={async (domain, isShown) => {
            if (isShown) setOpen(domain);
            else toast('Domain added');
            await reload();
          }}
          onVerify={verify}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        title={`Remove ${removing?.domain ?? ''}?`}
        confirm="Remove domain"
        danger
        onClose={() => setRemoving(null)}
        onConfirm={async () => {
          if (removing === null) return;
          await api.domains.delete({ domain: removing.domain });
          await reload();
          toast('Domain removed');
        }}
      >
        From the next sign-in on, your identity provider cannot sign in accounts of this domain that
        exist outside your tenant.
      </ConfirmDialog>
    </Section>
  );
}

function columns(
  onOpen: (domain: Domain) => void,
  onRemove: (domain: Domain) => void,
): readonly Column<Domain>[] {
  return [
    {
      key: 'domain',
      header: 'Domain',
      cell: ({ domain, createdAt }) => (
        <span className={styles.domain}>
          <b>{domain}</b>
          <small>
            Added <Time at={createdAt} />
          </small>
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ status }) =>
        status === 'verified' ? (
          <Badge tone="good">Verified</Badge>
        ) : (
          <Badge tone="warn">Pending</Badge>
        ),
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (domain) => (
        <>
          <Button
            kind="quiet"
            onClick={() => onOpen(domain)}
            aria-label={`DNS record of ${domain.domain}`}
          >
            DNS record
          </Button>
          <Button
            kind="quiet"
            onClick={() => onRemove(domain)}
            aria-label={`Remove ${domain.domain}`}
          >
            Remove
          </Button>
        </>
      ),
    },
  ];
}
