import { ArrowDownWideNarrow, Check } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { type FindingsSearch, GROUPS, SORTS } from './search.ts';

const SORT_LABELS = {
  newest: 'Newest first',
  severity: 'Most severe first',
  lastSeen: 'Last seen first',
} as const;

const GROUP_LABELS = { rule: 'By rule', asset: 'By asset', project: 'By project' } as const;

interface ListOptionsProps {
  readonly search: FindingsSearch;
  readonly onChange: (part: Partial<FindingsSearch>) => void;
}

/** Sorting and grouping. */
export function ListOptions({ search, onChange }: ListOptionsProps) {
  const icon = (isChosen: boolean) =>
    isChosen ? <Check size={15} aria-label="chosen" /> : <span aria-hidden="true" />;
  const sort = search.sort ?? 'newest';
  return (
    <Menu
      align="end"
      trigger={
        <Button square aria-label="Sort and group">
          <ArrowDownWideNarrow size={15} aria-hidden />
        </Button>
      }
      groups={[
        {
          label: 'Sort',
          items: SORTS.map((value) => ({
            label: SORT_LABELS[value],
            icon: icon(sort === value && search.by === undefined),
            onSelect: () =>
              onChange({ sort: value === 'newest' ? undefined : value, by: undefined }),
          })),
        },
        {
          label: 'Group',
          items: [
            {
              label: 'No groups',
              icon: icon(search.by === undefined),
              onSelect: () => onChange({ by: undefined }),
            },
            ...GROUPS.map((value) => ({
              label: GROUP_LABELS[value],
              icon: icon(search.by === value),
              onSelect: () => onChange({ by: value }),
            })),
          ],
        },
      ]}
    />
  );
}
