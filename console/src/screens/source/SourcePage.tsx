import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CloudDownload } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { Pulls } from './Pulls.tsx';
import styles from './Source.module.css';
import { SourceCard } from './SourceCard.tsx';

const SourceDialog = lazyPart(async () => (await import('./SourceDialog.tsx')).SourceDialog);

const route = getRouteApi('/app/projects/$name/source');

/** Where the inventory of a project is pulled from, and the newest pulls. */
export function SourcePage() {
  const can = useCan();
  const { name } = route.useParams();
  if (!can('projects.write')) return <Forbidden permission="projects.write" />;
  // The key: nothing of one project, such as a check, is shown for another.
  return <SourceView key={name} name={name} />;
}

function SourceView({ name }: { readonly name: string }) {
  const [isSetting, setSetting] = useState(false);
  // Without it, the API would answer 404 for a project without a source, which browsers report as an error.
  const project = useQuery({
    queryKey: ['projects', 'one', name],
    queryFn: () => api.projects.get({ name }),
  });
  const hasSource = project.data?.hasSource;
  return (
    <Page
      title="Inventory source"
      subtitle={
        <>
          of project{' '}
          <Link to="/projects/$name" params={{ name }} className={styles.link}>
            {name}
          </Link>
        </>
      }
    >
      <Loaded query={project}>
        {hasSource === undefined ? (
          <Skeleton height={180} />
        ) : hasSource ? (
          <SourceCard name={name} onReplace={() => setSetting(true)} />
        ) : (
          <EmptyState
            icon={<CloudDownload size={28} strokeWidth={1.4} aria-hidden />}
            title="The project has no inventory source"
            actions={
              <>
                <Button kind="primary" onClick={() => setSetting(true)}>
                  Set source
                </Button>
                <Link to="/projects/$name" params={{ name }} {...buttonLook()}>
                  Upload a file instead
                </Link>
              </>
            }
          >
            <p>Set one to pull inventories from the Cloud Asset API of Google Cloud.</p>
          </EmptyState>
        )}
      </Loaded>
      {hasSource !== undefined && <Pulls name={name} canStart={hasSource} />}
      {isSetting && (
        <SourceDialog name={name} replaces={hasSource === true} onClose={() => setSetting(false)} />
      )}
    </Page>
  );
}
