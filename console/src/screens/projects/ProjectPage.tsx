import type { Project, Scan } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Boxes, Ellipsis, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { plural } from '../../lib/format.ts';
import { canLaunch } from '../../parts/can-launch.ts';
import { seenBy } from '../../parts/findings-link.ts';
import { LaunchScan } from '../../parts/LaunchScan.tsx';
import { ScanStatus } from '../../parts/ScanStatus.tsx';
import { SeverityCounts } from '../../parts/SeverityCounts.tsx';
import { isActive } from '../../parts/scan-statuses.ts';
import { UploadInventory } from '../../parts/UploadInventory.tsx';
import { KEPT_FRESH, useCan } from '../../queries.ts';
import { noteScans } from '../../reloads.ts';
import { api } from '../../session.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Forbidden } from '../../ui/States.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { EditProjectDialog } from './EditProjectDialog.tsx';
import { InventoryHistory } from './InventoryHistory.tsx';
import styles from './Projects.module.css';

const route = getRouteApi('/app/projects/$name');

/** How often a running scan is loaded again. */
const REFRESH_MS = 10_000;

/** One project: its latest scan, an upload, and the inventories. */
export function ProjectPage() {
  const can = useCan();
  const { name } = route.useParams();
  if (!can('projects.read')) return <Forbidden permission="projects.read" />;
  // The key: nothing of one project, such as a running upload, is shown for another.
  return <ProjectView key={name} name={name} />;
}

function ProjectView({ name }: { readonly name: string }) {
  const can = useCan();
  const project = useQuery({
    queryKey: ['projects', 'one', name],
    queryFn: () => api.projects.get({ name }),
    meta: KEPT_FRESH,
  });
  const canWrite = can('projects.write');
  return (
    <Page
      title={name}
      subtitle={project.data?.description ?? undefined}
      actions={project.data !== undefined && <Actions project={project.data} />}
    >
      <Loaded query={project}>
        <div className={styles.columns}>
          {can('scans.read') && <LatestScan name={name} />}
          {canWrite && (
            <Card
              title="Upload an inventory"
              subtitle="It replaces the current inventory. The next scan evaluates it."
              actions={
                <Link to="/projects/$name/source" params={{ name }} className={styles.link}>
                  {project.data?.hasSource === false
                    ? 'Pull from Google Cloud'
                    : 'Inventory source'}
                </Link>
              }
            >
              <UploadInventory project={name} />
            </Card>
          )}
        </div>
        <InventoryHistory name={name} />
      </Loaded>
    </Page>
  );
}

type OpenDialog = 'launch' | 'edit' | 'delete' | null;

function Actions({ project }: { readonly project: Project }) {
  const can = useCan();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<OpenDialog>(null);
  const close = () => setOpen(null);
  const { name, inventory } = project;
  return (
    <>
      {can('findings.read') && (
        <Link to="/projects/$name/assets" params={{ name }} {...buttonLook()}>
          <Boxes size={15} aria-hidden />
          Assets
        </Link>
      )}
      {canLaunch(can) && (
        <Button kind={inventory === null ? 'plain' : 'primary'} onClick={() => setOpen('launch')}>
          <Play size={15} aria-hidden />
          Launch scan
        </Button>
      )}
      {can('projects.write') && (
        <Menu
          align="end"
          trigger={
            <Button square aria-label={`More actions for ${name}`}>
              <Ellipsis size={16} aria-hidden />
            </Button>
          }
          groups={[
            {
              items: [
                {
                  label: 'Edit description',
                  icon: <Pencil size={15} aria-hidden />,
                  onSelect: () => setOpen('edit'),
                },
                {
                  label: 'Delete project',
                  icon: <Trash2 size={15} aria-hidden />,
                  danger: true,
                  onSelect: () => setOpen('delete'),
                },
              ],
            },
          ]}
        />
      )}
      <LaunchScan open={open === 'launch'} initial={[name]} onClose={close} />
      <EditProjectDialog open={open === 'edit'} project={project} onClose={close} />
      <ConfirmDialog
        open={open === 'delete'}
        title={`Delete “${name}”?`}
        confirm="Delete project"
        danger
        onClose={close}
        onConfirm={async (isShown) => {
          await api.projects.delete({ name });
          // An upload to the deleted project is not worth a question.
          if (isShown()) await navigate({ to: '/projects', ignoreBlocker: true });
          queryClient.removeQueries({ queryKey: ['projects', 'one', name] });
          await queryClient.invalidateQueries();
          toast('Project deleted');
        }}
      >
        Its running scans are cancelled. Its inventories and findings are deleted. This cannot be
        undone.
      </ConfirmDialog>
    </>
  );
}

function LatestScan({ name }: { readonly name: string }) {
  const scans = useQuery({
    queryKey: ['scans', 'latest', name],
    queryFn: async () => {
      const page = await api.scans.list({ project: [name], limit: 1 });
      noteScans(page.items);
      return page;
    },
    meta: KEPT_FRESH,
    refetchInterval: ({ state: { data, error } }) =>
      error === null && data?.items.some(({ status }) => isActive(status)) ? REFRESH_MS : false,
  });
  const scan = scans.data?.items[0];
  return (
    <Card
      title="Latest scan"
      actions={
        scan !== undefined && (
          <Link to="/scans" search={{ project: name }} className={styles.link}>
            All scans
          </Link>
        )
      }
    >
      <Loaded query={scans}>
        {scans.data === undefined ? (
          <Skeleton height={72} />
        ) : scan === undefined ? (
          <p className={styles.muted}>
            This project has not been scanned. Upload an inventory, then launch a scan.
          </p>
        ) : (
          <ScanSummary scan={scan} project={name} />
        )}
      </Loaded>
    </Card>
  );
}

function ScanSummary({ scan, project }: { readonly scan: Scan; readonly project: string }) {
  const part = scan.projects.find(({ name }) => name === project);
  return (
    <div className={styles.latest}>
      <div className={styles.line}>
        <ScanStatus status={scan.status} />
        <Link to="/scans/$id" params={{ id: scan.id }} className={styles.link}>
          <Time at={scan.createdAt} />
        </Link>
        <span className={styles.muted}>profile {scan.profile}</span>
      </div>
      {scan.projects.length === 1 && (
        <SeverityCounts counts={scan.totals.bySeverity} filters={seenBy(scan.id)} />
      )}
      {part !== undefined && (
        <p className={styles.muted}>
          {plural(part.findings, 'finding')} in {plural(part.assets, 'asset')}
          {part.error !== null && `. ${part.error}`}
        </p>
      )}
    </div>
  );
}
