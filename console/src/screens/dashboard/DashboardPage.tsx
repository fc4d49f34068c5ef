import type { PostureSummary } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { canLaunch } from '../../parts/can-launch.ts';
import { LaunchScan } from '../../parts/LaunchScan.tsx';
import { SeverityTiles } from '../../parts/SeverityCounts.tsx';
import { isActive } from '../../parts/scan-statuses.ts';
import { KEPT_FRESH, useCan } from '../../queries.ts';
import { noteScans } from '../../reloads.ts';
import { api } from '../../session.ts';
import { useNavigation } from '../../shell/use-navigation.ts';
import { Button } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './Dashboard.module.css';
import {
  ComplianceCard,
  NewestScans,
  OldestCritical,
  ResolveTimes,
  TopRules,
  WorstProjects,
} from './DashboardCards.tsx';
import { ScoreCard } from './ScoreCard.tsx';
import { TrendCard } from './TrendCard.tsx';

/** Most people never see it. */
const FirstRun = lazy(async () => ({ default: (await import('./FirstRun.tsx')).FirstRun }));

/** How many of the worst projects are listed. */
const PROJECTS_SHOWN = 6;
/** How often the summary is loaded again while it shows a running scan. */
const REFRESH_MS = 30_000;

/**
 * The posture of the tenant; a tenant that has scanned nothing is led to its first scan. A sign-in opens this page, so
 * people who may not see it are led to the first page that they may see.
 */
export function DashboardPage() {
  const can = useCan();
  const first = useNavigation()[0]?.items[0];
  if (can('findings.read')) return <Dashboard />;
  return <Navigate to={first?.to ?? '/account'} replace />;
}

function Dashboard() {
  const summary = useQuery({
    queryKey: ['posture', 'summary'],
    queryFn: async () => {
      const loaded = await api.posture.summary({ limit: PROJECTS_SHOWN });
      noteScans(loaded.newestScans);
      return loaded;
    },
    meta: KEPT_FRESH,
    // The first steps follow their scan themselves.
    refetchInterval: ({ state: { data, error } }) =>
      error === null &&
      data !== undefined &&
      data.projectCount > 0 &&
      data.newestScans.some(({ status }) => isActive(status))
        ? REFRESH_MS
        : false,
  });
  const trend = useQuery({
    queryKey: ['posture', 'trend'],
    queryFn: () => api.posture.trend(),
    meta: KEPT_FRESH,
    // A tenant without a completed scan has no trend.
    enabled: summary.data !== undefined && summary.data.projectCount > 0,
  });
  const { data } = summary;
  if (data === undefined) {
    return (
      <Page title="Dashboard">
        <Loaded query={summary}>
          <Loading />
        </Loaded>
      </Page>
    );
  }
  if (data.projectCount === 0) {
    return (
      <Suspense
        fallback={
          <Page title="Dashboard">
            <Loading />
          </Page>
        }
      >
        {/* Its steps hold what the person entered, and end with a click. */}
        <div data-held style={{ display: 'contents' }}>
          <FirstRun summary={summary} newestScan={data.newestScans[0] ?? null} />
        </div>
      </Suspense>
    );
  }
  return (
    <Page
      title="Dashboard"
      subtitle={`The last completed scans of ${plural(data.projectCount, 'project')}`}
      actions={<LaunchButton />}
    >
      <Loaded query={summary}>
        <SeverityTiles
          counts={data.open}
          filters={{}}
          changes={data.change7Days?.open}
          since="7 days ago"
        />
        <div className={styles.grid}>
          <ScoreCard summary={data} />
          <TrendCard trend={trend} />
          <Details summary={data} />
        </div>
      </Loaded>
    </Page>
  );
}

function Loading() {
  return (
    <>
      <Skeleton height={76} />
      <Skeleton height={240} />
      <Skeleton height={240} />
    </>
  );
}

function Details({ summary }: { readonly summary: PostureSummary }) {
  return (
    <>
      <WorstProjects summary={summary} />
      <TopRules summary={summary} />
      <OldestCritical summary={summary} />
      <NewestScans summary={summary} />
      <ComplianceCard summary={summary} />
      <ResolveTimes summary={summary} />
    </>
  );
}

function LaunchButton() {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  if (!canLaunch(can)) return null;
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        <Play size={15} aria-hidden />
        Launch scan
      </Button>
      <LaunchScan open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
