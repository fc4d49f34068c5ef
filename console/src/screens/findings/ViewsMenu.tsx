import type { View } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Plus, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { parseSearch } from '../../lib/search-params.ts';
import { useIdentity } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { type FindingsSearch, readSearch, viewQuery } from './search.ts';
import { VIEWS } from './views-key.ts';

const SaveViewDialog = lazyPart(async () => (await import('./SaveViewDialog.tsx')).SaveViewDialog);

/** Opens, saves and deletes named searches. */
export function ViewsMenu({ search }: { readonly search: FindingsSearch }) {
  const { user } = useIdentity();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const views = useQuery({
    queryKey: VIEWS,
    queryFn: () => api.views.list({ limit: 100 }),
    enabled: isOpen,
  });
  const items = views.data?.items ?? [];
  const open = ({ query }: View): void =>
    void navigate({ to: '/findings', search: readSearch(parseSearch(query)) });
  const current = viewQuery(search);
  const ownCurrent = items.find(
    // A view that was made through the API may have its filters in another order.
    ({ query, createdBy }) =>
      viewQuery(readSearch(parseSearch(query))) === current && createdBy.id === user?.id,
  );
  const remove = async ({ id, name }: View) => {
    try {
      await api.views.delete({ id });
      await queryClient.invalidateQueries({ queryKey: VIEWS });
      toast(`View “${name}” deleted`);
    } catch (error) {
      toast(errorText(error), { tone: 'bad' });
    }
  };
  const listed: MenuItem[] = items.map((view) => ({
    label: view.name,
    hint: view.createdBy.id === user?.id ? '' : view.createdBy.label,
    icon: view.shared ? <Users size={15} aria-hidden /> : <Bookmark size={15} aria-hidden />,
    onSelect: () => open(view),
  }));
  const none = { label: views.isError ? errorText(views.error) : 'No saved views', disabled: true };
  return (
    <>
      <Menu
        onOpenChange={setOpen}
        trigger={
          <Button>
            <Bookmark size={14} aria-hidden />
            Views
          </Button>
        }
        align="end"
        groups={[
          {
            label: 'Saved views',
            items: views.isPending
              ? [{ label: 'Loading …', disabled: true, onSelect: () => undefined }]
              : listed.length > 0
                ? listed
                : [{ ...none, onSelect: () => undefined }],
          },
          {
            items: [
              {
                label: 'Save this view',
                icon: <Plus size={15} aria-hidden />,
                onSelect: () => setSaving(true),
              },
              ...(ownCurrent === undefined
                ? []
                : [
                    {
                      label: `Delete “${ownCurrent.name}”`,
                      icon: <Trash2 size={15} aria-hidden />,
                      danger: true,
                      onSelect: () => void remove(ownCurrent),
                    },
                  ]),
            ],
          },
        ]}
      />
      {isSaving && <SaveViewDialog query={current} onClose={() => setSaving(false)} />}
    </>
  );
}
