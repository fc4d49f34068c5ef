import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, plural } from '../lib/format.ts';
import { PROJECT_NAME, SEARCHED_ABOVE } from '../lib/search-params.ts';
import { useCan } from '../queries.ts';
import { api } from '../session.ts';
import { Button, Hidden } from '../ui/Button.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { Select } from '../ui/Select.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './parts.module.css';

interface ProjectChoicesProps {
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
  /** The choice cannot be changed now. */
  readonly busy?: boolean;
}

/** The projects of the tenant, to choose from. */
export function ProjectChoices({ selected, onToggle, busy }: ProjectChoicesProps) {
  const projects = useInfiniteQuery({
    queryKey: ['projects', 'list'],
    queryFn: ({ pageParam }) => api.projects.list({ cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const [text, setText] = useState('');
  // Those that were chosen before, or by their full name, which a person must be able to take out.
  const [known, setKnown] = useState(selected);
  const items = projects.data?.pages.flatMap((page) => page.items);
  const { hasNextPage } = projects;
  const listed = new Map(items?.map(({ name, inventory }) => [name, inventory]));
  const wanted = text.trim().toLowerCase();
  const names = [...listed.keys(), ...[...known].filter((name) => !listed.has(name))];
  const found = names.filter((name) => name.includes(wanted));
  // The API lists the newest projects first and cannot search them.
  if (hasNextPage && PROJECT_NAME.test(wanted) && !names.includes(wanted)) found.push(wanted);
  const toggle = (name: string) => {
    if (!listed.has(name)) setKnown(new Set([...known, name]));
    onToggle(name);
  };
  const noteOf = (name: string): string => {
    const inventory = listed.get(name);
    if (inventory === undefined) return hasNextPage ? 'Not loaded yet' : 'Deleted';
    return inventory === null ? 'No inventory' : plural(inventory.assets, 'asset');
  };
  return (
    <fieldset className={styles.choices} disabled={busy}>
      <legend>Projects</legend>
      <Loaded query={projects}>
        {(names.length > SEARCHED_ABOVE || wanted !== '') && (
          <input
            type="search"
            className={styles.find}
            aria-label="Search projects"
            placeholder={hasNextPage ? 'Search, or enter a full name' : 'Search'}
            maxLength={63}
            value={text}
            onChange={({ target }) => setText(target.value)}
            // It would submit the form around it.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        <div className={styles.choiceList}>
          {items === undefined && <Skeleton height={76} />}
          {items !== undefined &&
            found.map((name) => (
              <label key={name} className={styles.choice}>
                <input type="checkbox" checked={selected.has(name)} onChange={() => toggle(name)} />
                <span>{name}</span>
                <small>{noteOf(name)}</small>
              </label>
            ))}
          {items !== undefined && found.length === 0 && (
            <p className={styles.choice}>
              {names.length === 0 ? 'There are no projects yet.' : 'No project has this name.'}
            </p>
          )}
          {hasNextPage && (
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
        {items !== undefined && wanted !== '' && (
          <Hidden role="status">{plural(found.length, 'project')} shown</Hidden>
        )}
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
