import type { PostureSummary } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { count, frameworkName, plural, shortName } from '../../lib/format.ts';
import { findingsLink } from '../../parts/findings-link.ts';
import { PermittedLink } from '../../parts/PermittedLink.tsx';
import { ScanStatus } from '../../parts/ScanStatus.tsx';
import { SeverityCounts } from '../../parts/SeverityCounts.tsx';
import { Hidden } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { SEVERITIES, Severity, SeverityIcon } from '../../ui/Severity.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Dashboard.module.css';
import { percent } from './percent.ts';

interface CardProps {
  readonly summary: PostureSummary;
}

export function WorstProjects({ summary: { projects, projectCount } }: CardProps) {
  return (
    <Card
      title="Worst projects"
      actions={
        <PermittedLink permission="projects.read" to="/projects" className={styles.link}>
          {plural(projectCount, 'scanned project')}
        </PermittedLink>
      }
    >
      <ul className={styles.list}>
        {projects.map(({ project, open, score }) => (
          <li key={project}>
            <span className={styles.main}>
              <PermittedLink
                permission="projects.read"
                to="/projects/$name"
                params={{ name: project }}
              >
                {project}
              </PermittedLink>
              <SeverityCounts counts={open} filters={{ project: [project] }} />
            </span>
            <span className={styles.aside} title="Score">
              <Hidden>Score</Hidden> {score === null ? '–' : percent(score)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function TopRules({ summary: { topRules } }: CardProps) {
  return (
    <Card title="Rules that fail most" subtitle="By severity and number of failing assets">
      {topRules.length === 0 && <p className={styles.muted}>No rule fails.</p>}
      <ul className={styles.list}>
        {topRules.slice(0, 6).map(({ ruleId, title, severity, failing }) => (
          <li key={ruleId}>
            <SeverityIcon level={severity} />
            <span className={styles.main}>
              <Link {...findingsLink({ view: 'all', rule: [ruleId] })}>{title}</Link>
            </span>
            <span className={styles.aside}>{count(failing)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function OldestCritical({ summary: { oldestCritical } }: CardProps) {
  return (
    <Card title="Oldest critical findings">
      {oldestCritical.length === 0 && <p className={styles.muted}>No critical finding is open.</p>}
      <ul className={styles.list}>
        {oldestCritical.map(({ id, title, asset, project, firstSeenAt }) => (
          <li key={id}>
            <span className={styles.main}>
              <Link {...findingsLink({ view: 'all', severity: ['critical'], open: id })}>
                {title}
              </Link>
              <small>
                <bdi>{shortName(asset)}</bdi> · {project}
              </small>
            </span>
            <span className={styles.aside}>
              <Time at={firstSeenAt} as="age" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function NewestScans({ summary: { newestScans } }: CardProps) {
  return (
    <Card
      title="Newest scans"
      actions={
        <PermittedLink permission="scans.read" to="/scans" className={styles.link}>
          All scans
        </PermittedLink>
      }
    >
      <ul className={styles.list}>
        {newestScans.map(({ id, status, profile, projectCount, createdAt }) => (
          <li key={id}>
            <span className={styles.main}>
              <PermittedLink permission="scans.read" to="/scans/$id" params={{ id }}>
                <Time at={createdAt} />
              </PermittedLink>
              <small>
                {plural(projectCount, 'project')}, profile {profile}
              </small>
            </span>
            <ScanStatus status={status} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const STATUSES = ['pass', 'fail', 'unknown'] as const;

export function ComplianceCard({ summary: { compliance } }: CardProps) {
  return (
    <Card title="Compliance" subtitle="Share of decided requirements that pass">
      <ul className={styles.list}>
        {compliance.map((one) => {
          const decided = one.pass + one.fail;
          const all = Math.max(1, decided + one.unknown);
          return (
            <li key={one.framework}>
              <span className={styles.main}>
                <PermittedLink
                  permission="scans.read"
                  to="/compliance"
                  search={{ framework: one.framework, scan: 'all' }}
                >
                  {frameworkName(one.framework)}
                </PermittedLink>
                <span className={styles.split} aria-hidden="true">
                  {STATUSES.map((status) => (
                    <i
                      key={status}
                      data-status={status}
                      style={{ width: `${(one[status] / all) * 100}%` }}
                    />
                  ))}
                </span>
              </span>
              <span className={styles.aside}>
                {count(one.pass)} of {count(decided)}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

export function ResolveTimes({ summary: { meanSecondsToResolve } }: CardProps) {
  return (
    <Card title="Mean time to resolve" subtitle="Findings resolved in the last 90 days">
      <ul className={styles.list}>
        {SEVERITIES.map((level) => (
          <li key={level}>
            <span className={styles.main}>
              <Severity level={level} />
            </span>
            <span className={styles.aside}>{span(meanSecondsToResolve[level])}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** `3.5 days`, `26 hours`, `5 min`. */
function span(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 5400) return `${Math.max(1, Math.round(seconds / 60))} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${(seconds / 86_400).toFixed(1)} d`;
}
