import type { Scan } from '@cspm/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Ban, GitCompareArrows, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { count, plural } from '../../lib/format.ts';
import { findingsLink, seenBy } from '../../parts/findings-link.ts';
import { FRAMEWORKS } from '../../parts/frameworks.ts';
import { PermittedLink } from '../../parts/PermittedLink.tsx';
import { ReportMenu, useReportDownload } from '../../parts/ReportMenu.tsx';
import { ScanStatus } from '../../parts/ScanStatus.tsx';
import { SeverityTiles } from '../../parts/SeverityCounts.tsx';
import { isActive } from '../../parts/scan-statuses.ts';
import { scanKey, useLiveScan } from '../../parts/use-live-scan.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Card, Meter, Stat, Stats } from '../../ui/Card.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { ChooseScanDialog } from './ChooseScanDialog.tsx';
import { duration } from './duration.ts';
import { RuleVerdicts } from './RuleVerdicts.tsx';
import styles from './Scans.module.css';

const route = getRouteApi('/app/scans/$id');

/** One scan: live progress, then the results. */
export function ScanPage() {
  const can = useCan();
  const { id } = route.useParams();
  if (!can('scans.read')) return <Forbidden permission="scans.read" />;
  return <ScanView key={id} id={id} />;
}

function ScanView({ id }: { readonly id: string }) {
  const can = useCan();
  const scan = useLiveScan(id);
  const report = useReportDownload(id);
  const { data } = scan;
  if (data === undefined) {
    return (
      <Page title="Scan">
        <Loaded query={scan}>
          <Skeleton height={96} />
          <Skeleton height={240} />
        </Loaded>
      </Page>
    );
  }
  return (
    <Page
      title={titleOf(data)}
      subtitle={<Subtitle scan={data} />}
      actions={
        <>
          {isActive(data.status) && can('scans.cancel') && <CancelButton scan={data} />}
          {can('findings.read') && isComparable(data.status) && (
            <>
              <ReportMenu download={report} frameworks={FRAMEWORKS} />
              <CompareButton scan={data} />
            </>
          )}
          {can('findings.read') && (
            <Link {...findingsLink(seenBy(id))} {...buttonLook('primary')}>
              <ShieldAlert size={15} aria-hidden />
              Findings
            </Link>
          )}
        </>
      }
    >
      <Loaded query={scan}>
        <FormError>{report.error === null ? null : errorText(report.error)}</FormError>
        {isActive(data.status) && <Progress scan={data} isPolled={scan.isPolled} />}
        <SeverityTiles counts={data.totals.bySeverity} filters={seenBy(id)} />
        <Results scan={data} />
        <Projects scan={data} />
        {!isActive(data.status) && <RuleVerdicts scan={id} />}
      </Loaded>
    </Page>
  );
}

function titleOf({ projects }: Scan): string {
  const [first] = projects;
  return projects.length === 1 && first !== undefined
    ? `Scan of ${first.name}`
    : `Scan of ${plural(projects.length, 'project')}`;
}

function Subtitle({ scan }: { readonly scan: Scan }) {
  const { id, status, createdAt, createdBy, profile } = scan;
  return (
    <span className={styles.head}>
      <ScanStatus status={status} />
      <span>
        <Time at={createdAt} /> by {createdBy.label}, profile {profile}
      </span>
      <CopyId id={id} label="Copy the scan id" />
    </span>
  );
}

function CancelButton({ scan }: { readonly scan: Scan }) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Ban size={15} aria-hidden />
        Cancel scan
      </Button>
      <ConfirmDialog
        open={isOpen}
        title="Cancel this scan?"
        confirm="Cancel scan"
        cancel="Keep running"
        danger
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          queryClient.setQueryData(scanKey(scan.id), await api.scans.cancel({ id: scan.id }));
          await queryClient.invalidateQueries({ queryKey: ['scans', 'list'] });
          toast('Scan cancelled');
        }}
      >
        It stops within seconds. Results so far are kept.
      </ConfirmDialog>
    </>
  );
}

function isComparable(status: Scan['status']): boolean {
  return status === 'completed' || status === 'partial';
}

function CompareButton({ scan }: { readonly scan: Scan }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <GitCompareArrows size={15} aria-hidden />
        Compare
      </Button>
      <ChooseScanDialog
        id={scan.id}
        projects={scan.projects.map(({ name }) => name)}
        open={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

function Progress({ scan, isPolled }: { readonly scan: Scan; readonly isPolled: boolean }) {
  const { status, projects, totals } = scan;
  const done = projects.filter((one) => one.status !== 'queued' && one.status !== 'running').length;
  return (
    <Card title={status === 'queued' ? 'Waiting for a worker' : 'Scanning'}>
      <div className={styles.progress} role="status">
        <Meter
          label="Progress of the scan"
          value={projects.length > 1 ? done / projects.length : null}
        />
        <p className={styles.muted}>
          {projects.length > 1 && `${done} of ${projects.length} projects are done. `}
          {plural(totals.evaluations, 'evaluation')} so far.
        </p>
        {isPolled && (
          <p className={styles.note}>
            Live progress is not available. The page loads the progress every 10 s.
          </p>
        )}
      </div>
    </Card>
  );
}

function Results({ scan }: { readonly scan: Scan }) {
  const { totals, delta, coverage, startedAt, finishedAt, status } = scan;
  return (
    <Stats>
      <Stat label="New" hint={delta.reopened > 0 ? `and ${count(delta.reopened)} reopened` : null}>
        {count(delta.new)}
      </Stat>
      <Stat label="Resolved">{count(delta.resolved)}</Stat>
      <Stat label="Unchanged">{count(delta.unchanged)}</Stat>
      <Stat
        label="Evaluations"
        hint={`${count(totals.pass)} passed, ${count(totals.fail)} failed, ${count(totals.unknown)} unknown`}
      >
        {count(totals.evaluations)}
      </Stat>
      <Stat label="Assets">{count(totals.assets)}</Stat>
      {coverage !== null && (
        <Stat
          label="Rules decided"
          hint={`of ${count(coverage.rules)}${coverage.undecided > 0 ? `; ${count(coverage.undecided)} lack data` : ''}`}
        >
          {count(coverage.decided)}
        </Stat>
      )}
      {!isActive(status) && <Stat label="Duration">{duration(startedAt, finishedAt)}</Stat>}
    </Stats>
  );
}

function Projects({ scan }: { readonly scan: Scan }) {
  return (
    <Card title="Projects">
      <Table
        label="Projects of the scan"
        columns={projectColumns(scan.id)}
        rows={scan.projects}
        rowKey={({ name }) => name}
        empty={null}
      />
    </Card>
  );
}

function projectColumns(scanId: string): readonly Column<Scan['projects'][number]>[] {
  return [
    {
      key: 'name',
      header: 'Project',
      cell: ({ name, error }) => (
        <>
          <PermittedLink
            permission="projects.read"
            to="/projects/$name"
            params={{ name }}
            className={styles.projectName}
          >
            {name}
          </PermittedLink>
          {error !== null && <p className={styles.error}>{error}</p>}
        </>
      ),
    },
    { key: 'status', header: 'Status', cell: ({ status }) => <ScanStatus status={status} /> },
    {
      key: 'assets',
      header: 'Assets',
      align: 'end',
      show: 'wide',
      cell: (one) => count(one.assets),
    },
    {
      key: 'evaluations',
      header: 'Evaluations',
      align: 'end',
      show: 'wide',
      cell: (one) => count(one.evaluations),
    },
    {
      key: 'findings',
      header: 'Findings',
      align: 'end',
      cell: ({ name, findings }) => (
        <PermittedLink
          permission="findings.read"
          {...findingsLink({ ...seenBy(scanId), project: [name] })}
          className={styles.link}
          aria-label={`${plural(findings, 'finding')} in ${name}`}
        >
          {count(findings)}
        </PermittedLink>
      ),
    },
  ];
}
