import type { ComplianceReport, Scan } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BookOpenCheck, Printer } from 'lucide-react';
import { errorText } from '../../lib/error-text.ts';
import { count, dateTime, frameworkName } from '../../lib/format.ts';
import { FRAMEWORKS } from '../../parts/frameworks.ts';
import { ReportMenu, useReportDownload } from '../../parts/ReportMenu.tsx';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import styles from './Compliance.module.css';
import { Requirement, STATUS_LABEL } from './Requirement.tsx';
import { STATUSES, type Status } from './search.ts';

const route = getRouteApi('/app/compliance');

/** The status of each requirement of a framework in the latest finished scan. */
export function CompliancePage() {
  const can = useCan();
  if (!can('scans.read')) return <Forbidden permission="scans.read" />;
  return <Compliance />;
}

function Compliance() {
  const can = useCan();
  const { framework = FRAMEWORKS[0] } = route.useSearch();
  const latest = useQuery({
    queryKey: ['scans', 'latest-finished'],
    queryFn: () => api.scans.list({ status: ['completed', 'partial'], limit: 1 }),
  });
  const scan = latest.data?.items[0];
  const report = useQuery({
    queryKey: ['scans', 'compliance', scan?.id, framework],
    queryFn: () => api.scans.compliance({ id: scan?.id ?? '', framework }),
    enabled: scan !== undefined,
    // The results of a finished scan never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const download = useReportDownload(scan?.id ?? '');
  return (
    <Page
      title="Compliance"
      subtitle={scan === undefined ? undefined : <Source scan={scan} framework={framework} />}
      actions={
        report.data !== undefined && (
          <>
            {can('findings.read') && <ReportMenu download={download} frameworks={[framework]} />}
            <Button onClick={() => window.print()}>
              <Printer size={15} aria-hidden />
              Print
            </Button>
          </>
        )
      }
    >
      <FormError>{download.error === null ? null : errorText(download.error)}</FormError>
      <Frameworks chosen={framework} />
      <Loaded query={latest.isError ? latest : report}>
        {latest.data !== undefined && scan === undefined ? (
          <NothingScanned />
        ) : report.data === undefined ? (
          <>
            <Skeleton height={90} />
            <Skeleton height={320} />
          </>
        ) : (
          <Report report={report.data} />
        )}
      </Loaded>
    </Page>
  );
}

function Source(props: { readonly scan: Scan; readonly framework: string }) {
  const { id, projects, finishedAt, createdAt } = props.scan;
  const [first] = projects;
  return (
    <>
      {frameworkName(props.framework)}, from the{' '}
      <Link to="/scans/$id" params={{ id }} className={styles.link}>
        latest scan
      </Link>{' '}
      of {projects.length === 1 ? first?.name : `${projects.length} projects`},{' '}
      {dateTime(finishedAt ?? createdAt)}
    </>
  );
}

function Frameworks({ chosen }: { readonly chosen: string }) {
  const { status } = route.useSearch();
  return (
    <nav className={styles.frameworks} aria-label="Frameworks">
      {FRAMEWORKS.map((framework) => (
        <Link
          key={framework}
          to="/compliance"
          search={{ framework, status }}
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

function NothingScanned() {
  return (
    <EmptyState
      icon={<BookOpenCheck size={28} strokeWidth={1.4} aria-hidden />}
      title="Nothing has been scanned yet"
      actions={
        <Link to="/scans" {...buttonLook('primary')}>
          Open the scans
        </Link>
      }
    >
      <p>The status of the requirements comes from the latest scan.</p>
    </EmptyState>
  );
}

function Report({ report }: { readonly report: ComplianceReport }) {
  const { status } = route.useSearch();
  const shown = report.requirements.filter((one) => status === undefined || one.status === status);
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

/** The number of requirements by status. Each is a filter. */
function Summary({ summary }: { readonly summary: Readonly<Record<Status, number>> }) {
  const search = route.useSearch();
  const all = Math.max(1, ...[STATUSES.reduce((sum, one) => sum + summary[one], 0)]);
  return (
    <div className={styles.summary}>
      <span className={styles.split} aria-hidden="true">
        {STATUSES.toReversed().map((one) => (
          <i key={one} data-status={one} style={{ width: `${(summary[one] / all) * 100}%` }} />
        ))}
      </span>
      <nav className={styles.figures} aria-label="Status">
        {STATUSES.map((one) => {
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
      </nav>
    </div>
  );
}
