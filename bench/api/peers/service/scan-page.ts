import type { Scan, ScanPage } from './schemas.ts';

type Count =
  | 'assets'
  | 'evaluations'
  | 'pass'
  | 'fail'
  | 'unknown'
  | 'critical'
  | 'high'
  | 'medium'
  | 'low'
  | 'info'
  | 'deltaNew'
  | 'deltaResolved'
  | 'deltaReopened'
  | 'deltaUnchanged';

type Counts = Readonly<Record<Count, number>>;

/** A scan as an ORM returns it. */
export interface ScanWithProjects {
  readonly id: string;
  readonly status: string;
  readonly profile: string;
  readonly profileDigest: string;
  readonly coverage: unknown;
  readonly createdByKind: string;
  readonly createdById: string | null;
  readonly createdByLabel: string;
  readonly scheduleId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly projects: readonly (Counts & {
    readonly name: string;
    readonly status: string;
    readonly error: string | null;
    readonly inventoryId: string | null;
  })[];
}

/** @param rows one more than the page holds, if there are more */
export function pageOf(rows: readonly ScanWithProjects[], limit: number): ScanPage {
  const items = rows.slice(0, limit).map(scanView);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return {
    items,
    nextCursor: last === undefined ? null : Buffer.from(last.id).toString('base64url'),
  };
}

function scanView(scan: ScanWithProjects): Scan {
  const sum = (of: keyof Counts) => scan.projects.reduce((total, p) => total + p[of], 0);
  return {
    id: scan.id,
    // The service itself wrote these values.
    status: scan.status as Scan['status'],
    profile: scan.profile,
    profileDigest: scan.profileDigest,
    projects: scan.projects.map((p) => ({
      name: p.name,
      status: p.status as Scan['projects'][number]['status'],
      assets: p.assets,
      evaluations: p.evaluations,
      findings: p.critical + p.high + p.medium + p.low + p.info,
      error: p.error,
      inventoryId: p.inventoryId,
    })),
    totals: {
      assets: sum('assets'),
      evaluations: sum('evaluations'),
      pass: sum('pass'),
      fail: sum('fail'),
      unknown: sum('unknown'),
      bySeverity: {
        critical: sum('critical'),
        high: sum('high'),
        medium: sum('medium'),
        low: sum('low'),
        info: sum('info'),
      },
    },
    delta: {
      new: sum('deltaNew'),
      resolved: sum('deltaResolved'),
      reopened: sum('deltaReopened'),
      unchanged: sum('deltaUnchanged'),
    },
    coverage: scan.coverage as Scan['coverage'],
    createdBy: { kind: scan.createdByKind, id: scan.createdById, label: scan.createdByLabel },
    scheduleId: scan.scheduleId,
    createdAt: scan.createdAt.toISOString(),
    startedAt: scan.startedAt?.toISOString() ?? null,
    finishedAt: scan.finishedAt?.toISOString() ?? null,
  };
}
