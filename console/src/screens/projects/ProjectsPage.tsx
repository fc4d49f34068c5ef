import type { Project } from '@cspm/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Boxes, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { count, plural } from '../../lib/format.ts';
import { PROJECT_NAME, SEARCHED_ABOVE } from '../../lib/search-params.ts';
import { CreateProjectForm } from '../../parts/CreateProjectForm.tsx';
import { KEPT_FRESH, useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './Projects.module.css';

const route = getRouteApi('/app/projects');

/** The projects of the tenant, each with its current inventory. */
export function ProjectsPage() {
  const can = useCan();
  if (!can('projects.read')) return <Forbidden permission="projects.read" />;
  return <Projects canWrite={can('projects.write')} />;
}

function Projects({ canWrite }: { readonly canWrite: boolean }) {
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  const projects = useInfiniteQuery({
    queryKey: ['projects', 'list'],
    queryFn: ({ pageParam }) => api.projects.list({ cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: KEPT_FRESH,
  });
  const { q } = route.useSearch();
  const search = useCallback(
    (text: string) =>
      void navigate({ to: '/projects', search: { q: text || undefined }, replace: true }),
    [navigate],
  );
  const loaded = projects.data?.pages.flatMap(({ items }) => items);
  const wanted = q?.toLowerCase() ?? '';
  const rows = loaded?.filter(({ name, description }) =>
    `${name} ${description ?? ''}`.toLowerCase().includes(wanted),
  );
  const isSearched = q !== undefined || (loaded?.length ?? 0) > SEARCHED_ABOVE;
  const create = canWrite && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      Create project
    </Button>
  );
  return (
    <Page
      title="Projects"
      subtitle="A project is what you scan: a cloud project and its inventory."
      actions={create}
      query={q ?? ''}
    >
      {isSearched && (
        <div className={styles.line}>
          <SearchBox label="Search projects" value={q ?? ''} onChange={search} />
          {loaded !== undefined && wanted !== '' && projects.hasNextPage && (
            <NotLoaded loaded={loaded} wanted={wanted} />
          )}
        </div>
      )}
      <Loaded query={projects}>
        <Table
          label="Projects"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          onMore={projects.hasNextPage ? () => void projects.fetchNextPage() : undefined}
          isLoadingMore={projects.isFetchingNextPage}
          empty={
            wanted === '' ? (
              <EmptyState icon={ICON} title="There are no projects yet">
                <p>
                  {canWrite
                    ? 'Create a project and upload an inventory to it. Then launch a scan.'
                    : 'Your role cannot create projects. Ask an analyst or an administrator of your tenant.'}
                </p>
              </EmptyState>
            ) : (
              <EmptyState
                icon={ICON}
                title="No project matches"
                actions={
                  <>
                    <Button onClick={() => search('')}>Clear the search</Button>
                    {projects.hasNextPage && (
                      <Button
                        busy={projects.isFetchingNextPage}
                        onClick={() => void projects.fetchNextPage()}
                      >
                        Load more
                      </Button>
                    )}
                  </>
                }
              />
            )
          }
        />
      </Loaded>
      <Dialog open={isCreating} title="Create a project" onClose={() => setCreating(false)}>
        <CreateProjectForm
          onCancel={() => setCreating(false)}
          onCreated={({ name }, isShown) => {
            toast('Project created');
            if (!isShown) return;
            setCreating(false);
            void navigate({ to: '/projects/$name', params: { name } });
          }}
        />
      </Dialog>
    </Page>
  );
}

const ICON = <Boxes size={28} strokeWidth={1.4} aria-hidden />;

interface NotLoadedProps {
  readonly loaded: readonly Project[];
  /** What is searched for, in lower case. */
  readonly wanted: string;
}

/** Says what was searched, and leads to a project by its full name. The API cannot search projects. */
function NotLoaded({ loaded, wanted }: NotLoadedProps) {
  const isName = PROJECT_NAME.test(wanted) && !loaded.some(({ name }) => name === wanted);
  return (
    <p>
      Searched the newest {plural(loaded.length, 'project')}.{' '}
      {isName && (
        <Link to="/projects/$name" params={{ name: wanted }} className={styles.link}>
          Open {wanted}
        </Link>
      )}
    </p>
  );
}

const COLUMNS: readonly Column<Project>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, description }) => (
      <span className={styles.name}>
        <Link to="/projects/$name" params={{ name }}>
          {name}
        </Link>
        {description !== null && <small>{description}</small>}
      </span>
    ),
  },
  {
    key: 'assets',
    header: 'Assets',
    align: 'end',
    cell: ({ inventory }) => (inventory === null ? '–' : count(inventory.assets)),
  },
  {
    key: 'inventory',
    header: 'Inventory',
    cell: ({ inventory }) =>
      inventory === null ? <Badge tone="warn">None</Badge> : <Time at={inventory.createdAt} />,
  },
  {
    key: 'created',
    header: 'Created',
    show: 'wide',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
