import type { Role } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../queries.ts';
import { rolesQuery } from '../../queries-roles.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure, Forbidden } from '../../ui/States.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import { RoleEditor } from './RoleEditor.tsx';

/** The roles of the tenant with their permissions: create, edit and delete custom ones. */
export function RolesPage() {
  const can = useCan();
  if (!can('admin.users')) return <Forbidden permission="admin.users" />;
  return <Roles />;
}

function Roles() {
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Role | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Role | null>(null);
  const roles = useQuery(rolesQuery);
  const reload = () => queryClient.invalidateQueries({ queryKey: rolesQuery.queryKey });
  return (
    <Page
      title="Roles"
      subtitle="Built-in roles are the same in every tenant. Custom roles are yours."
      actions={
        <Button kind="primary" onClick={() => setEditing('new')}>
          <Plus size={15} aria-hidden />
          Create role
        </Button>
      }
    >
      {roles.isPending && <Skeleton height={420} />}
      {roles.isError && <Failure error={roles.error} onRetry={() => void roles.refetch()} />}
      {roles.data !== undefined && (
        <PermissionMatrix roles={roles.data} onEdit={setEditing} onDelete={setDeleting} />
      )}
      {editing !== null && (
        <RoleEditor
          role={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDone={reload}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete the role ${deleting?.name ?? ''}?`}
        confirm="Delete role"
        danger
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          if (deleting === null) return;
          await api.roles.delete({ name: deleting.name });
          await reload();
          toast('Role deleted');
        }}
      >
        A role that somebody has cannot be deleted. This cannot be undone.
      </ConfirmDialog>
    </Page>
  );
}
