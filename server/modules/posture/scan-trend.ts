import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { scoreOf } from './score.ts';
import type { DayRange } from './trend-queries.ts';

/** The posture of the projects of a scan at the end of a day. */
interface ScanDay {
  readonly date: string;
  readonly open: {
    readonly critical: number;
    readonly high: number;
    readonly medium: number;
    readonly low: number;
    readonly info: number;
  };
  readonly score: number | null;
}

interface ScanDayRow {
  day: string;
  critical: number;
  high: number;
  medium: number;
  low: number;
  info: number;
  passed_weight: number;
  decided_weight: number;
}

/** One point for each day of a range, from the first on which one of the scan's projects had been scanned. */
export async function scanTrend(
  db: TenantConnection,
  scanId: string,
  { from, to }: DayRange,
): Promise<ScanDay[]> {
  const rows = await db.sql<ScanDayRow>(SCAN_TREND, [db.tenantId, scanId, from, to]);
  return rows.map(({ day, passed_weight: passed, decided_weight: decided, ...open }) => ({
    date: day,
    open,
    score: scoreOf(passed, decided),
  }));
}

/** Hand-written as a set: for each day and each of at most 100 projects one look-up in the primary key. */
const SCAN_TREND: Statement = {
  name: 'posture-scan-trend',
  reason: 'set',
  text: `
    SELECT asked.day::text AS day, sum(t.critical)::int AS critical, sum(t.high)::int AS high,
           sum(t.medium)::int AS medium, sum(t.low)::int AS low, sum(t.info)::int AS info,
           sum(t.passed_weight)::float8 AS passed_weight, sum(t.decided_weight)::float8 AS decided_weight
    FROM (SELECT $3::date + n AS day FROM generate_series(0, $4::date - $3::date) AS n) asked
    CROSS JOIN scan_projects sp
    CROSS JOIN LATERAL (
      SELECT * FROM posture_days t
      WHERE t.tenant_id = $1 AND t.project_id = sp.project_id AND t.day <= asked.day ORDER BY t.day DESC LIMIT 1
    ) t
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2
    GROUP BY asked.day ORDER BY asked.day`,
};
