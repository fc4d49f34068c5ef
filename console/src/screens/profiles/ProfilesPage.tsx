import type { Profile } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { useCan } from '../../queries.ts';
import { Badge, Button, buttonLook } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { DeleteProfileDialog } from './DeleteProfileDialog.tsx';
import styles from './profiles.module.css';
import { profilesQuery } from './profiles-query.ts';

/** The profiles: built-in ones, and those of the tenant, which can be changed and deleted. */
export function ProfilesPage() {
  const can = useCan();
  if (!can('rules.read')) return <Forbidden permission="rules.read" />;
  return <Profiles mayWrite={can('rules.write')} />;
}

function Profiles({ mayWrite }: { readonly mayWrite: boolean }) {
  const profiles = useQuery(profilesQuery);
  const queryClient = useQueryClient();
  const [deleting, setDeleting] = useState<Profile | null>(null);
  return (
    <Page
      title="Profiles"
      subtitle="A profile selects the rules that a scan evaluates."
      actions={
        mayWrite && (
          <Link to="/profiles/new" {...buttonLook('primary')}>
            <Plus size={15} aria-hidden />
            Create profile
          </Link>
        )
      }
    >
      <Loaded query={profiles}>
        <Table
          label="Profiles"
          columns={columns(mayWrite ? setDeleting : undefined)}
          rows={profiles.data?.items.toSorted(ownFirst)}
          rowKey={({ name }) => name}
          empty={
            <EmptyState
              icon={<SlidersHorizontal size={28} strokeWidth={1.4} aria-hidden />}
              title="There are no profiles"
            />
          }
        />
      </Loaded>
      <DeleteProfileDialog
        profile={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => queryClient.invalidateQueries({ queryKey: profilesQuery.queryKey })}
      />
    </Page>
  );
}

function columns(onDelete: ((profile: Profile) => void) | undefined): readonly Column<Profile>[] {
  return [
    {
      key: 'name',
      header: 'Profile',
      cell: ({ name, aliasOf, title, description, definition }) => (
        <span className={styles.name}>
          <span className={styles.head}>
            <Link to="/profiles/$name" params={{ name }} className={styles.profileLink}>
              {definition === null && !aliasOf ? title : name}
            </Link>
            {definition !== null && <Badge tone="new">Own</Badge>}
            {aliasOf && <Badge>Alias</Badge>}
          </span>
          <small>{aboutOf({ aliasOf, description, definition })}</small>
        </span>
      ),
    },
    {
      key: 'id',
      header: 'Name in the API',
      show: 'wide',
      cell: ({ name }) => <code className={styles.code}>{name}</code>,
    },
    {
      key: 'rules',
      header: 'Rules',
      align: 'end',
      cell: ({ ruleCount }) => count(ruleCount),
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (profile) =>
        profile.definition !== null &&
        onDelete !== undefined && (
          <Button onClick={() => onDelete(profile)} aria-label={`Delete ${profile.name}`}>
            Delete
          </Button>
        ),
    },
  ];
}

function aboutOf({
  aliasOf,
  description,
  definition,
}: Pick<Profile, 'aliasOf' | 'description' | 'definition'>): string {
  if (definition !== null) return definition.include.join(', ');
  return aliasOf ? `Another name of ${aliasOf}.` : description;
}

/** The profiles of the tenant, then the built-in ones in the order of the API. */
function ownFirst(a: Profile, b: Profile): number {
  return Number(a.definition === null) - Number(b.definition === null);
}
