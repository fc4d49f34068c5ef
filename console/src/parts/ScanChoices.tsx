import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, plural } from '../lib/format.ts';
import { useCan } from '../queries.ts';
import { api } from '../session.ts';
import { Button } from '../ui/Button.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { Select } from '../ui/Select.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './parts.module.css';

/** The projects of the tenant, to choose from. */
export function ProjectChoices(props: {
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
  /** The choice cannot be changed now. */
  readonly busy?: boolean;
}) {
  const { selected, onToggle, busy } = props;
  const projects = useInfiniteQuery({
    queryKey: ['projects', 'list'],
    queryFn: ({ pageParam }) => api.projects.list({ cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const items = projects.data?.pages.flatMap((page) => page.items);
  // Those that were chosen before, which a person must be able to take out.
  const [before] = useState([...selected]);
  const unlisted = items && before.filter((name) => !items.some((one) => one.name === name));
  return (
    <fieldset className={styles.choices} disabled={busy}>
      <legend>Projects</legend>
      <Loaded query={projects}>
        <div className={styles.choiceList}>
          {items === undefined && <Skeleton height={76} />}
          {items?.map(({ name, inventory }) => (
            <label key={name} className={styles.choice}>
              <input type="checkbox" checked={selected.has(name)} onChange={() => onToggle(name)} />
              <span>{name}</span>
              <small>
                {inventory === null ? 'No inventory' : plural(inventory.assets, 'asset')}
              </small>
            </label>
          ))}
          {unlisted?.map((name) => (
            <label key={name} className={styles.choice}>
              <input type="checkbox" checked={selected.has(name)} onChange={() => onToggle(name)} />
              <span>{name}</span>
              <small>{projects.hasNextPage ? 'Not loaded yet' : 'Deleted'}</small>
            </label>
          ))}
          {items?.length === 0 && <p className={styles.choice}>There are no projects yet.</p>}
          {projects.hasNextPage && (
            <Button
              kind="quiet"
              wide
              busy={projects.isFetchingNextPage}
              onClick={() => void projects.fetchNextPage()}
            >
              Load more
            </Button>
          )}
        </div>
      </Loaded>
    </fieldset>
  );
}

/** The profiles of the tenant, one of which is chosen. */
export function ProfileChoice(props: {
  readonly value: string;
  readonly onChange: (profile: string) => void;
  readonly busy?: boolean;
}) {
  const can = useCan();
  const profiles = useQuery({
    queryKey: ['profiles'],
    queryFn: () => api.profiles.list(),
    enabled: can('rules.read'),
  });
  const options = profiles.data?.items
    // An alias is not offered beside its profile, unless it was chosen through the API.
    .filter(({ name, aliasOf }) => !aliasOf || name === props.value)
    .map(({ name, aliasOf, title, ruleCount }) => ({
      value: name,
      label: `${title} (${aliasOf ? `${name}, ` : ''}${count(ruleCount)} rules)`,
    })) ?? [{ value: 'full', label: 'Every rule' }];
  return <Select {...props} label="Profile" options={options} />;
}
