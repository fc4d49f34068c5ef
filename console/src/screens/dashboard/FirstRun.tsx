import type { Inventory, PostureSummary, Scan } from '@cspm/sdk';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { SEVERITIES } from '../../lib/severities.ts';
import { takeLostFocus } from '../../lib/take-lost-focus.ts';
import { CreateProjectForm } from '../../parts/CreateProjectForm.tsx';
import { canLaunch } from '../../parts/can-launch.ts';
import { findingsLink } from '../../parts/findings-link.ts';
import { LaunchScanForm } from '../../parts/LaunchScanForm.tsx';
import { isActive } from '../../parts/scan-statuses.ts';
import { UploadInventory, UploadWarnings } from '../../parts/UploadInventory.tsx';
import { useLiveScan } from '../../parts/use-live-scan.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button, buttonLook, Hidden } from '../../ui/Button.tsx';
import { Meter } from '../../ui/Card.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState } from '../../ui/States.tsx';
import styles from './FirstRun.module.css';

interface FirstRunProps {
  /** Has been loaded. */
  readonly summary: UseQueryResult<PostureSummary>;
  /** The newest scan. It did not complete, still runs, or its projects were deleted. */
  readonly newestScan: PostureSummary['newestScans'][number] | null;
}

/** Leads a tenant that has scanned nothing to its first findings: project, inventory, scan, result. */
export function FirstRun({ summary, newestScan }: FirstRunProps) {
  const can = useCan();
  if (!can('projects.write') || !canLaunch(can)) {
    return (
      <Page title="Dashboard">
        <EmptyState title="Nothing has been scanned yet">
          <p>
            Your role cannot upload an inventory and launch a scan. Ask an analyst or an
            administrator of your tenant.
          </p>
        </EmptyState>
      </Page>
    );
  }
  return <Steps summary={summary} newestScan={newestScan} />;
}

function Steps({ summary, newestScan }: FirstRunProps) {
  const queryClient = useQueryClient();
  const [launched, setLaunched] = useState<string | null>(null);
  const [warnings, setWarnings] = useState<Inventory['warnings']>([]);
  const projects = useQuery({
    queryKey: ['projects', 'newest'],
    queryFn: () => api.projects.list({ limit: 1 }),
  });
  if (projects.data === undefined) {
    return (
      <Page title="Welcome">
        <Loaded query={projects}>
          <Skeleton height={320} />
        </Loaded>
      </Page>
    );
  }
  const project = projects.data.items[0] ?? null;
  const active = newestScan !== null && isActive(newestScan.status) ? newestScan.id : null;
  const scan = launched ?? active;
  const at =
    scan !== null ? 3 : project === null ? 0 : (project.inventory?.assets ?? 0) === 0 ? 1 : 2;
  const reload = () => queryClient.invalidateQueries({ queryKey: ['projects'] });
  return (
    <Page
      title="Welcome"
      subtitle="Four steps to your first findings. They take about two minutes."
    >
      <Loaded query={projects.isError ? projects : summary}>
        <StepList at={at}>
          <Step index={0} at={at} title="Create a project" done={<p>{project?.name}</p>}>
            <p>A project stands for a cloud project. Its name identifies it everywhere.</p>
            <CreateProjectForm onCreated={() => void reload()} />
          </Step>
          <Step
            index={1}
            at={at}
            title="Upload an inventory"
            done={
              <>
                <p>{plural(project?.inventory?.assets ?? 0, 'asset')}</p>
                <UploadWarnings warnings={warnings} />
              </>
            }
          >
            {project !== null && (
              <UploadInventory
                project={project.name}
                onUploaded={(inventory) => setWarnings(inventory.warnings)}
              />
            )}
          </Step>
          <Step index={2} at={at} title="Launch a scan" done={<p>Launched</p>}>
            {newestScan !== null && hasNoResults(newestScan.status) && (
              <p>
                The{' '}
                <Link to="/scans/$id" params={{ id: newestScan.id }} className={styles.link}>
                  newest scan
                </Link>{' '}
                did not complete.
              </p>
            )}
            {project !== null && (
              <LaunchScanForm initial={[project.name]} onLaunched={({ id }) => setLaunched(id)} />
            )}
          </Step>
          <Step index={3} at={at} title="See the findings">
            {scan !== null && <Watch id={scan} onAgain={() => setLaunched(null)} />}
          </Step>
        </StepList>
      </Loaded>
    </Page>
  );
}

/** A scan that completed is the newest one when its projects were deleted. */
function hasNoResults(status: Scan['status']): boolean {
  return status === 'failed' || status === 'cancelled';
}

interface StepListProps {
  /** The step that is to be done now. */
  readonly at: number;
  readonly children: ReactNode;
}

/** The focus follows the steps: what had it in a step is gone when the step is done. */
function StepList({ at, children }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(at);
  useEffect(() => {
    if (before.current === at) return;
    before.current = at;
    const { current } = list;
    const heading = current?.querySelector<HTMLElement>('[aria-current] h2');
    // The heading of the step before keeps the focus that it got.
    if (current?.contains(document.activeElement)) heading?.focus();
    else takeLostFocus(heading);
  }, [at]);
  return (
    <ol ref={list} className={styles.steps}>
      {children}
    </ol>
  );
}

interface StepProps {
  readonly index: number;
  /** The step that is to be done now. */
  readonly at: number;
  readonly title: string;
  /** Shown when the step is done. */
  readonly done?: ReactNode;
  readonly children: ReactNode;
}

function Step({ index, at, title, done, children }: StepProps) {
  const state = index < at ? 'done' : index === at ? 'now' : 'later';
  return (
    <li
      className={styles.step}
      data-state={state}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className={styles.mark} aria-hidden="true">
        {state === 'done' ? <Check size={14} /> : index + 1}
      </span>
      <div className={styles.body}>
        <h2 tabIndex={-1}>
          {title}
          {state === 'done' && <Hidden>, done</Hidden>}
        </h2>
        {state === 'done' && done}
        {state === 'now' && children}
      </div>
    </li>
  );
}

function Watch({ id, onAgain }: { readonly id: string; readonly onAgain: () => void }) {
  const scan = useLiveScan(id);
  return (
    <Loaded query={scan}>
      <Outcome scan={scan.data} onAgain={onAgain} />
    </Loaded>
  );
}

interface OutcomeProps {
  /** Undefined: it is loading. */
  readonly scan: Scan | undefined;
  readonly onAgain: () => void;
}

function Outcome({ scan: data, onAgain }: OutcomeProps) {
  const queryClient = useQueryClient();
  if (data === undefined || isActive(data.status)) {
    return (
      <div className={styles.watch} role="status">
        <Meter label="Progress of the scan" value={null} />
        <p>
          {data === undefined || data.status === 'queued' ? 'Waiting for a worker' : 'Scanning'},{' '}
          {plural(data?.totals.evaluations ?? 0, 'evaluation')} so far.
        </p>
      </div>
    );
  }
  if (data.status !== 'completed' && data.status !== 'partial') {
    return (
      <div className={styles.watch}>
        <p role="alert">
          The scan did not complete. {data.projects.find(({ error }) => error !== null)?.error}
        </p>
        <div>
          <Button onClick={onAgain}>Launch again</Button>
        </div>
      </div>
    );
  }
  const found = SEVERITIES.reduce((sum, level) => sum + data.totals.bySeverity[level], 0);
  return (
    <div className={styles.watch}>
      <p role="status">
        The scan of {plural(data.totals.assets, 'asset')} ended with {plural(found, 'finding')}.
      </p>
      <div className={styles.links}>
        <Link {...findingsLink({})} {...buttonLook('primary')}>
          See the findings
        </Link>
        <Button onClick={() => void queryClient.invalidateQueries({ queryKey: ['posture'] })}>
          Open the dashboard
        </Button>
      </div>
    </div>
  );
}
