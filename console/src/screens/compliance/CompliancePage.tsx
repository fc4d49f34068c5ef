import type { ComplianceReport, PostureSummary, Scan } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BookOpenCheck, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { count, dateTime, frameworkName, plural } from '../../lib/format.ts';
import { FRAMEWORKS } from '../../parts/frameworks.ts';
import { ReportMenu, useReportDownload } from '../../parts/ReportMenu.tsx';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button, buttonLook, Hidden } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Compliance.module.css';
import { Requirement, STATUS_LABEL } from './Requirement.tsx';
import { ALL_PROJECTS, STATUSES, type Status } from './search.ts';
import { finishedQuery, PROJECTS_MAX, useChosenScan } from './use-chosen-scan.ts';

const route = getRouteApi('/app/compliance');

/** The status of each requirement of a framework in one scan, or their numbers over all projects. */
export function CompliancePage() {
  const can = useCan();
  const { scan } = route.useSearch();
  if (!can('scans.read')) return <Forbidden permission="scans.read" />;
  return <Results isAll={scan === ALL_PROJECTS && can('findings.read')} />;
}

interface ResultProps {
  /** Announces what the page shows. */
  readonly tell: (text: string) => void;
}

/** The status stays when another scan or framework is chosen, so that screen readers tell the result. */
function Results({ isAll }: { readonly isAll: boolean }) {
  const [told, tell] = useState('');
  return (
    <>
      <Hidden role="status">{told}</Hidden>
      {isAll ? <AllProjects tell={tell} /> : <OneScan tell={tell} />}
    </>
  );
}

/** Announces the numbers and how many rows there are. Undefined: they are not there yet, or there are none. */
function useTold({ tell }: ResultProps, result: Result | undefined): void {
  const text = result === undefined ? '' : textOf(result);
  useEffect(() => tell(text), [tell, text]);
}

function textOf({ of, summary, rows }: Result): string {
  const figures = STATUSES.map((one) => `${STATUS_LABEL[one]} ${count(summary[one])}`);
  return `${of}: ${figures.join(', ')}. ${rows} shown`;
}

interface Result {
  /** What the numbers are of. */
  readonly of: string;
  readonly summary: Readonly<Record<Status, number>>;
  /** Such as `12 requirements`. */
  readonly rows: string;
}

function OneScan(props: ResultProps) {
  const can = useCan();
  const { framework = FRAMEWORKS[0], status } = route.useSearch();
  const { query, scan, isChosen, isCertain } = useChosenScan();
  const report = useQuery({
    queryKey: ['scans', 'compliance', scan?.id, framework],
    queryFn: () => api.scans.compliance({ id: scan?.id ?? '', framework }),
    enabled: scan !== undefined,
    // The results of a finished scan never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  useTold(
    props,
    scan &&
      report.data && {
        of: `${frameworkName(framework)}, ${labelOf(scan)}`,
        summary: report.data.summary,
        rows: plural(withStatus(report.data, status).length, 'requirement'),
      },
  );
  const download = useReportDownload(scan?.id ?? '', `${scan?.id} ${framework}`);
  return (
    <Page
      title="Compliance"
      subtitle={scan === undefined ? undefined : <Source scan={scan} framework={framework} />}
      actions={
        report.data !== undefined && (
          <>
            {can('findings.read') && <ReportMenu download={download} frameworks={[framework]} />}
            <PrintButton />
          </>
        )
      }
    >
      <FormError>{download.error === null ? null : errorText(download.error)}</FormError>
      <Frameworks chosen={framework} />
      <ScanChoice />
      <Loaded query={query.isError ? query : report}>
        {query.data !== undefined && scan === undefined && isChosen ? (
          <NothingScanned isCertain={isCertain} />
        ) : report.data === undefined ? (
          <Loading />
        ) : (
          <Report report={report.data} />
        )}
      </Loaded>
    </Page>
  );
}

/** The numbers of the dashboard. A requirement has a status in a scan, so the projects lead to their last scans. */
function AllProjects(props: ResultProps) {
  const { framework = FRAMEWORKS[0] } = route.useSearch();
  const summary = useQuery({
    queryKey: ['posture', 'summary', PROJECTS_MAX],
    queryFn: () => api.posture.summary({ limit: PROJECTS_MAX }),
  });
  const { data } = summary;
  const figures = data?.compliance.find((one) => one.framework === framework);
  useTold(
    props,
    data &&
      figures && {
        of: `${frameworkName(framework)}, all projects`,
        summary: figures,
        rows: plural(data.projects.length, 'project'),
      },
  );
  return (
    <Page
      title="Compliance"
      subtitle={
        data &&
        `${frameworkName(framework)}, over the last completed scans of ${plural(data.projectCount, 'project')}`
      }
      actions={figures !== undefined && <PrintButton />}
    >
      <Frameworks chosen={framework} />
      <ScanChoice />
      <Loaded query={summary}>
        {data === undefined ? (
          <Loading />
        ) : figures === undefined ? (
          <NothingScanned />
        ) : (
          <>
            <Summary summary={figures} isFilter={false} />
            <LastScans framework={framework} summary={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface LastScansProps {
  readonly framework: ComplianceReport['framework'];
  readonly summary: PostureSummary;
}

function LastScans({ framework, summary: { projects, projectCount } }: LastScansProps) {
  const isPart = projects.length < projectCount;
  return (
    <Card
      title={isPart ? `The worst ${projects.length} projects` : 'Projects'}
      subtitle="Open one to see each requirement in the last completed scan of the project"
      className={styles.section}
    >
      <ul className={styles.requirements}>
        {projects.map(({ project, scan, scannedAt }) => (
          <li key={project} className={styles.lastScan}>
            <Link to="/compliance" search={{ framework, scan }} className={styles.link}>
              {project}
            </Link>
            <Time at={scannedAt} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Which scan is shown, as a choice of the newest that finished. */
function ScanChoice() {
  const can = useCan();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const scans = useQuery(finishedQuery).data?.items ?? [];
  const { scan, isChosen } = useChosenScan();
  const isAll = search.scan === ALL_PROJECTS;
  const shown = scan === undefined || scans.some(({ id }) => id === scan.id) ? [] : [scan];
  if (scans.length === 0) return null;
  return (
    <div className={styles.scanChoice}>
      <Select
        label="Scan"
        value={isAll ? ALL_PROJECTS : (scan?.id ?? '')}
        options={[
          ...(scan === undefined && isChosen && !isAll
            ? [{ value: '', label: 'No scan of a present project' }]
            : []),
          ...(can('findings.read')
            ? [{ value: ALL_PROJECTS, label: 'All projects, last completed scans' }]
            : []),
          ...[...scans, ...shown].map((one) => ({ value: one.id, label: labelOf(one) })),
        ]}
        onChange={(value) => void navigate({ search: { ...search, scan: value } })}
      />
    </div>
  );
}

const projectsOf = ({ projects }: Scan) =>
  projects.length === 1 ? projects[0]?.name : plural(projects.length, 'project');

const timeOf = ({ finishedAt, createdAt }: Scan) => dateTime(finishedAt ?? createdAt);

const labelOf = (scan: Scan) => `${projectsOf(scan)}, profile ${scan.profile}, ${timeOf(scan)}`;

function Source({ scan, framework }: { readonly scan: Scan; readonly framework: string }) {
  return (
    <>
      {frameworkName(framework)}, from the{' '}
      <Link to="/scans/$id" params={{ id: scan.id }} className={styles.link}>
        scan
      </Link>{' '}
      of {labelOf(scan)}
    </>
  );
}

function PrintButton() {
  return (
    <Button onClick={() => window.print()}>
      <Printer size={15} aria-hidden />
      Print
    </Button>
  );
}

function Loading() {
  return (
    <>
      <Skeleton height={90} />
      <Skeleton height={320} />
    </>
  );
}

function Frameworks({ chosen }: { readonly chosen: string }) {
  const search = route.useSearch();
  return (
    <nav className={styles.frameworks} aria-label="Frameworks">
      {FRAMEWORKS.map((framework) => (
        <Link
          key={framework}
          to="/compliance"
          search={{ ...search, framework }}
          className={styles.choice}
          data-active={framework === chosen || undefined}
          aria-current={framework === chosen ? 'true' : undefined}
        >
          {frameworkName(framework)}
        </Link>
      ))}
    </nav>
  );
}

function NothingScanned({ isCertain = true }: { readonly isCertain?: boolean }) {
  return (
    <EmptyState
      icon={<BookOpenCheck size={28} strokeWidth={1.4} aria-hidden />}
      title={
        isCertain ? 'No project has been scanned yet' : 'The newest scans are of deleted projects'
      }
      actions={
        <Link to="/scans" {...buttonLook('primary')}>
          Open the scans
        </Link>
      }
    >
      <p>
        {isCertain
          ? 'The status of the requirements comes from a scan.'
          : 'Other projects may have older scans. Choose one of the scans, or start a new one.'}
      </p>
    </EmptyState>
  );
}

function withStatus({ requirements }: ComplianceReport, status: Status | undefined) {
  return requirements.filter((one) => status === undefined || one.status === status);
}

function Report({ report }: { readonly report: ComplianceReport }) {
  const { status } = route.useSearch();
  const shown = withStatus(report, status);
  const sections = Map.groupBy(shown, ({ section }) => section);
  return (
    <>
      <Summary summary={report.summary} />
      {shown.length === 0 && <EmptyState title="No requirement has this status" />}
      {[...sections].map(([section, requirements]) => (
        <Card
          key={section}
          title={section}
          subtitle={`${requirements.filter((one) => one.status === 'pass').length} of ${requirements.length} pass`}
          className={styles.section}
        >
          <ul className={styles.requirements}>
            {requirements.map((one) => (
              <Requirement key={one.id} requirement={one} scan={report.scan} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
}

interface SummaryProps {
  readonly summary: Readonly<Record<Status, number>>;
  readonly isFilter?: boolean;
}

/** The number of requirements by status. Each is a filter where requirements are listed. */
function Summary({ summary, isFilter = true }: SummaryProps) {
  const search = route.useSearch();
  const Figures = isFilter ? 'nav' : 'section';
  const all = Math.max(1, ...[STATUSES.reduce((sum, one) => sum + summary[one], 0)]);
  return (
    <div className={styles.summary}>
      <span className={styles.split} aria-hidden="true">
        {STATUSES.toReversed().map((one) => (
          <i key={one} data-status={one} style={{ width: `${(summary[one] / all) * 100}%` }} />
        ))}
      </span>
      <Figures className={styles.figures} aria-label="Status">
        {STATUSES.map((one) => {
          if (!isFilter) {
            return (
              <span key={one} className={styles.figure} data-status={one}>
                <b>{count(summary[one])}</b>
                {STATUS_LABEL[one]}
              </span>
            );
          }
          const isOn = search.status === one;
          return (
            <Link
              key={one}
              to="/compliance"
              search={{ ...search, status: isOn ? undefined : one }}
              className={styles.figure}
              data-status={one}
              data-active={isOn || undefined}
              aria-current={isOn ? 'true' : undefined}
            >
              <b>{count(summary[one])}</b>
              {STATUS_LABEL[one]}
            </Link>
          );
        })}
      </Figures>
    </div>
  );
}
