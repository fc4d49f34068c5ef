import { FINGERPRINT_BYTES, type Severity } from '@cspm/scanner';
import { binaryArrayOfSlices } from '../../platform/database/binary-array.ts';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { BEFORE_ALL_IDS } from '../../platform/ids.ts';
import { SEVERITIES } from './finding-filter.ts';
import { findingsById } from './findings-by-id.ts';
import type { RecordedCount, ScanOfProject } from './record.ts';

/**
 * Marks findings that an earlier scan wrote last as seen again, with the same content. It writes the same as
 * `recordFindings` of the same findings.
 * @param writtenBy the scan that wrote them last
 * @param fingerprints one after the other, each once.
 * @returns null when another scan has written one of them, or one is resolved. Some may be marked
 * then, so the transaction must be rolled back.
 */
export async function repeatFindings(
  db: TenantConnection,
  scan: ScanOfProject,
  writtenBy: string,
  fingerprints: Uint8Array,
): Promise<RecordedCount[] | null> {
  if (fingerprints.length === 0) return [];
  const counts = await db.sql<RecordedCount>(REPEAT, [
    db.tenantId,
    scan.projectId,
    scan.scanId,
    scan.scanAt,
    scan.now,
    binaryArrayOfSlices(fingerprints, FINGERPRINT_BYTES),
    writtenBy,
  ]);
  const written = counts.reduce((sum, { count }) => sum + count, 0);
  return written * FINGERPRINT_BYTES === fingerprints.length ? counts : null;
}

/**
 * Marks by way of ON CONFLICT, which looks each finding up by its fingerprint. For a join Postgres expects few findings
 * of a tenant until it has statistics, and then compares every fingerprint with every finding. A row is inserted only for
 * a missing finding; it is not counted, so its transaction is rolled back.
 */
const REPEAT: Statement = {
  name: 'findings-repeat',
  reason: 'set',
  text: `
    WITH written AS (
      INSERT INTO findings AS f (
        tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type, subject,
        message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id)
      SELECT $1, gen_random_uuid(), $2, seen.fingerprint, '', '', '', '', '', '', '', '[]', 'resolved', 'new', $5, $5,
             $3
      FROM unnest($6::bytea[]) AS seen(fingerprint)
      ON CONFLICT (tenant_id, fingerprint) DO UPDATE SET
        delta = 'unchanged', last_seen_at = EXCLUDED.last_seen_at, last_scan_id = EXCLUDED.last_scan_id
      WHERE f.project_id = $2 AND f.status = 'open' AND f.last_scan_id = $7
      RETURNING f.id, f.delta, f.severity
    ), noted AS (
      INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
      SELECT $1, $3, id, delta, $4 FROM written
    )
    SELECT delta, severity, count(*)::int AS count FROM written WHERE delta = 'unchanged' GROUP BY delta, severity`,
};

/** Findings that a scan sees again without a write to any of them. */
export interface AllRepeated {
  /** The scan that wrote them last. */
  readonly writtenBy: string;
  /** Rules for whole projects, which are evaluated again. */
  readonly rulesOnProjects: readonly string[];
  /** How many they were in that scan. */
  readonly findings: number;
  /** The scans, besides `writtenBy`, that may have written the other open findings of the project last; null: any. */
  readonly othersWrittenBy: readonly string[] | null;
  /** Asked now and then; true ends the work. */
  readonly isUnwanted: () => Promise<boolean>;
}

/** What `repeatAllFindings` has noted. */
export interface NotedFindings {
  readonly counts: RecordedCount[];
  /** The ids of all other open findings of the project; null when there are too many to list. */
  readonly others: readonly string[] | null;
}

/**
 * Notes that a scan has seen all findings of rules for single assets again that an earlier scan wrote last. Readers see
 * the same as after `recordFindings` of the same findings. It reads each open finding of the project once, so that what
 * ends the scan need only look at the others.
 * @returns null when not all of them are open and unchanged, another scan has written others, or `isUnwanted`; the
 * transaction must be rolled back then.
 */
export async function repeatAllFindings(
  db: TenantConnection,
  scan: ScanOfProject,
  { writtenBy, rulesOnProjects, findings, othersWrittenBy, isUnwanted }: AllRepeated,
): Promise<NotedFindings | null> {
  const counts: RecordedCount[] = [];
  const others: string[] = [];
  const writers = othersWrittenBy === null ? null : [writtenBy, ...othersWrittenBy];
  let noted = 0;
  for (const severity of SEVERITIES) {
    let count = 0;
    for (let after = BEFORE_ALL_IDS; ; ) {
      const values = [db.tenantId, scan.projectId, scan.scanId, scan.scanAt, severity, after];
      const of = [writtenBy, rulesOnProjects, writers];
      const [row] = await db.sql<NotedRow>(NOTE_REPEATED, [...values, ...of]);
      if (row?.foreign === true || (await isUnwanted())) return null;
      if (row?.last == null) break;
      count += row.count;
      if (others.length < TOO_MANY_OTHERS) others.push(...(row.others ?? []));
      if (row.read < READ_AT_A_TIME) break;
      after = row.last;
    }
    noted += count;
    // The database holds what this server wrote there.
    if (count > 0) counts.push({ delta: 'unchanged', severity: severity as Severity, count });
  }
  if (noted !== findings) return null;
  await db.sql(SEEN_BY, [db.tenantId, scan.projectId, writtenBy, scan.scanId, scan.now]);
  return { counts, others: others.length < TOO_MANY_OTHERS ? others : null };
}

interface NotedRow {
  read: number;
  count: number;
  others: string[] | null;
  /** Whether an unexpected scan wrote one of them last; null: none was read, or any scan may have written them. */
  foreign: boolean | null;
  last: string | null;
}

/** Keeps each statement short, in a project with any number of findings. */
const READ_AT_A_TIME = 20_000;

/** So many are not listed: one pass over the findings of the project then takes less time than looking each of them up. */
const TOO_MANY_OTHERS = 1001;

/** In the order of an index, so that each batch continues where the one before ended. */
const NOTE_REPEATED: Statement = {
  name: 'findings-note-repeated',
  reason: 'set',
  text: `
    WITH open AS MATERIALIZED (
      SELECT id, last_scan_id = $7 AND NOT rule_id = ANY($8::text[]) AS is_seen,
             last_scan_id <> ALL ($9::uuid[]) AS is_foreign
      FROM findings
      WHERE tenant_id = $1 AND project_id = $2 AND severity = $5 AND status = 'open' AND id > $6
      ORDER BY id LIMIT ${READ_AT_A_TIME}
    ), noted AS (
      INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
      SELECT $1, $3, id, 'unchanged', $4 FROM open WHERE is_seen
    )
    SELECT count(*)::int AS read, (count(*) FILTER (WHERE is_seen))::int AS count,
           (array_agg(id) FILTER (WHERE NOT is_seen))[:${TOO_MANY_OTHERS}] AS others,
           bool_or(is_foreign) AS foreign,
           (SELECT id FROM open ORDER BY id DESC LIMIT 1) AS last
    FROM open`,
};

const SEEN_BY: Statement = {
  name: 'findings-seen-by',
  reason: 'set',
  text: `
    INSERT INTO finding_repeats (tenant_id, project_id, written_scan_id, scan_id, seen_at)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (tenant_id, project_id, written_scan_id)
    DO UPDATE SET scan_id = EXCLUDED.scan_id, seen_at = EXCLUDED.seen_at`,
};

/**
 * Whether findings of some rules that a scan wrote last are still open.
 * @param among the only findings that may be; null: all of the project
 */
export async function isAnyLeftOpen(
  db: TenantConnection,
  { projectId }: Pick<ScanOfProject, 'projectId'>,
  writtenBy: string,
  rules: readonly string[],
  among: readonly string[] | null,
): Promise<boolean> {
  const values = [db.tenantId, projectId, writtenBy, rules];
  const left =
    among === null
      ? await db.sql(ANY_LEFT_OPEN, values)
      : await db.sql(ANY_LEFT_OPEN_AMONG, [...values, among]);
  return left.length > 0;
}

const anyLeftOpen = (findings: string) => `
  SELECT 1 FROM ${findings}
  WHERE tenant_id = $1 AND project_id = $2 AND status = 'open' AND last_scan_id = $3 AND rule_id = ANY ($4::text[])
  LIMIT 1`;

const ANY_LEFT_OPEN: Statement = {
  name: 'findings-any-left-open',
  reason: 'hot path',
  text: anyLeftOpen('findings'),
};

const ANY_LEFT_OPEN_AMONG: Statement = {
  name: 'findings-any-left-open-among',
  reason: 'hot path',
  text: anyLeftOpen(findingsById('$5')),
};

/** Whether the project has open findings that neither this scan nor one of some earlier ones has written last. */
export async function hasOtherOpenFindings(
  db: TenantConnection,
  scan: ScanOfProject,
  earlierScanIds: readonly string[],
): Promise<boolean> {
  const values = [db.tenantId, scan.projectId, [scan.scanId, ...earlierScanIds]];
  return (await db.sql(ANY_OTHER_OPEN, values)).length > 0;
}

const ANY_OTHER_OPEN: Statement = {
  name: 'findings-any-other-open',
  reason: 'hot path',
  text: `SELECT 1 FROM findings
         WHERE tenant_id = $1 AND project_id = $2 AND status = 'open' AND last_scan_id <> ALL ($3::uuid[]) LIMIT 1`,
};
