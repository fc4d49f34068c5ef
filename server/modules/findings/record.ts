import type { Severity } from '@cspm/scanner';
import pg from 'pg';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { findingsById } from './findings-by-id.ts';
import { SEEN_FINDINGS } from './seen-findings.ts';

/** A finding of a scan. */
export interface SeenFinding {
  readonly id: string;
  /** SHA-256 in hex. */
  readonly fingerprint: string;
  readonly rule_id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly asset_name: string;
  readonly asset_type: string;
  readonly subject: string;
  readonly message: string;
  /** JSON. */
  readonly evidence: string;
  /** JSON object of strings. */
  readonly asset_labels: string;
}

/** Findings as columns, each an array in Postgres' binary format. */
export type PackedFindings = Readonly<Record<keyof SeenFinding, Uint8Array>>;

/** The project and scan that findings are recorded for. */
export interface ScanOfProject {
  readonly scanId: string;
  readonly projectId: string;
  /** Creation time of the scan; it selects the partition of the scan's findings. */
  readonly scanAt: Date;
  readonly now: Date;
}

export type Delta = 'new' | 'unchanged' | 'reopened' | 'resolved';

export interface RecordedCount {
  readonly delta: Delta;
  readonly severity: Severity;
  readonly count: number;
}

/**
 * Writes the findings of a scan, one row per fingerprint, marked new, unchanged or reopened.
 * @param options.expectNew inserts without looking for existing findings, which takes Postgres a seventh less time
 * @throws {pg.DatabaseError} with `expectNew` if one exists (`isDuplicateFinding`); roll the transaction back
 */
export async function recordFindings(
  db: TenantConnection,
  scan: ScanOfProject,
  seen: readonly PackedFindings[],
  { expectNew = false }: { readonly expectNew?: boolean } = {},
): Promise<RecordedCount[]> {
  const counts: RecordedCount[] = [];
  const of = [db.tenantId, scan.projectId, scan.scanId, scan.scanAt, scan.now];
  for (const pack of seen) {
    const values = [...of, ...COLUMNS.map((column) => bufferOf(pack[column]))];
    counts.push(
      ...(expectNew
        ? await db.sql<RecordedCount>(RECORD_NEW, values)
        : await db.sql<RecordedCount>(RECORD, values)),
    );
  }
  return seen.length <= 1 ? counts : summed(counts);
}

/** A Buffer is sent as a parameter in binary format. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Adds up the counts, with one entry per delta and severity. */
function summed(counts: readonly RecordedCount[]): RecordedCount[] {
  const sums = new Map<string, RecordedCount>();
  for (const { delta, severity, count } of counts) {
    const before = sums.get(`${delta} ${severity}`)?.count ?? 0;
    sums.set(`${delta} ${severity}`, { delta, severity, count: before + count });
  }
  return [...sums.values()];
}

const COLUMNS = [
  'id',
  'fingerprint',
  'rule_id',
  'severity',
  'title',
  'asset_name',
  'asset_type',
  'subject',
  'message',
  'evidence',
  'asset_labels',
] as const satisfies (keyof SeenFinding)[];

const recordText = (onConflict: string) => `
    WITH seen AS (
      SELECT * FROM unnest($6::uuid[], $7::bytea[], $8::text[], $9::text[], $10::text[],
                           $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[])
        AS s(id, fingerprint, rule_id, severity, title, asset_name, asset_type, subject, message, evidence,
             asset_labels)
    ), written AS (
      INSERT INTO findings (
        tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type, subject,
        message, evidence, asset_labels, status, delta, first_seen_at, last_seen_at, last_scan_id)
      SELECT $1, s.id, $2, s.fingerprint, s.rule_id, s.severity, s.title, s.asset_name,
             s.asset_type, s.subject, s.message, s.evidence::jsonb, s.asset_labels::jsonb, 'open', 'new', $5, $5, $3
      FROM seen s ${onConflict}
      RETURNING id, delta, severity
    ), noted AS (
      INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
      SELECT $1, $3, id, delta, $4 FROM written
    )
    SELECT delta, severity, count(*)::int AS count FROM written GROUP BY delta, severity`;

const RECORD: Statement = {
  name: 'findings-record',
  reason: 'set',
  text: recordText(`
      ON CONFLICT (tenant_id, fingerprint) DO UPDATE SET
        severity = EXCLUDED.severity, title = EXCLUDED.title, asset_type = EXCLUDED.asset_type,
        message = EXCLUDED.message, evidence = EXCLUDED.evidence, asset_labels = EXCLUDED.asset_labels,
        delta = CASE findings.status WHEN 'resolved' THEN 'reopened' ELSE 'unchanged' END,
        status = 'open', last_seen_at = EXCLUDED.last_seen_at, last_scan_id = EXCLUDED.last_scan_id,
        reopened_at = CASE findings.status WHEN 'resolved' THEN EXCLUDED.last_seen_at ELSE findings.reopened_at END,
        resolved_at = NULL, resolved_reason = NULL
      -- Two assets of one name may share a finding: once a scan has seen it, it has.
      WHERE findings.last_scan_id <> EXCLUDED.last_scan_id`),
};

const RECORD_NEW: Statement = { name: 'findings-record-new', reason: 'set', text: recordText('') };

/** Whether an insert failed because a finding with the same fingerprint exists. */
export function isDuplicateFinding(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === FINGERPRINT_KEY;
}

const FINGERPRINT_KEY = 'findings_tenant_id_fingerprint_key';

/** Whether the project has findings of any status. */
export async function hasFindings(
  db: TenantConnection,
  { projectId }: Pick<ScanOfProject, 'projectId'>,
): Promise<boolean> {
  const rows = await db.sql(ANY, [db.tenantId, projectId]);
  return rows.length > 0;
}

const ANY: Statement = {
  name: 'findings-any',
  reason: 'hot path',
  text: 'SELECT 1 FROM findings WHERE tenant_id = $1 AND project_id = $2 LIMIT 1',
};

/** Whether the project has open findings that this scan has not seen. Without any, there is nothing to resolve. */
export async function hasOpenFindings(db: TenantConnection, scan: ScanOfProject): Promise<boolean> {
  const rows = await db.sql(ANY_OPEN, [db.tenantId, scan.projectId, scan.scanId]);
  return rows.length > 0;
}

const ANY_OPEN: Statement = {
  name: 'findings-any-open',
  reason: 'hot path',
  text: `SELECT 1 FROM findings
         WHERE tenant_id = $1 AND project_id = $2 AND status = 'open' AND last_scan_id <> $3 LIMIT 1`,
};

/** Assets that a scan has evaluated. */
interface Observed {
  readonly assetNames: readonly string[];
  /** Whether the rule's result for the asset is UNKNOWN; its finding then stays as it is. */
  isUndecided(assetName: string, ruleId: string): boolean;
}

/**
 * Marks the open findings of some assets that this scan evaluated without reporting them again. Findings that it has
 * marked before stay as they are.
 * @param rulesOnProjects are evaluated only at the end of the scan, so their findings are left alone here.
 */
export async function observeAssets(
  db: TenantConnection,
  scan: ScanOfProject,
  rulesOnProjects: readonly string[],
  observed: Observed,
): Promise<void> {
  await observe(db, scan, OPEN_ON_ASSETS, rulesOnProjects, observed);
}

/** Does the same for rules that evaluate a cloud project as a whole, on the assets that represent the projects. */
export async function observeProjects(
  db: TenantConnection,
  scan: ScanOfProject,
  rulesOnProjects: readonly string[],
  observed: Observed,
): Promise<void> {
  await observe(db, scan, OPEN_ON_PROJECTS, rulesOnProjects, observed);
}

async function observe(
  db: TenantConnection,
  scan: ScanOfProject,
  select: Statement,
  rulesOnProjects: readonly string[],
  { assetNames, isUndecided }: Observed,
): Promise<void> {
  const names = [...new Set(assetNames)];
  const values = [db.tenantId, scan.projectId, scan.scanId, names, rulesOnProjects];
  const open = await db.sql<{ id: string; asset_name: string; rule_id: string }>(select, values);
  if (open.length === 0) return;
  await db.sql(OBSERVE, [
    db.tenantId,
    scan.scanId,
    open.map((finding) => finding.id),
    open.map((finding) => !isUndecided(finding.asset_name, finding.rule_id)),
  ]);
}

/**
 * Looks findings up asset by asset. OFFSET 0 prevents another plan: for a project without statistics Postgres expects
 * one finding from any index. `IS TRUE` keeps its condition out of index searches, which would otherwise read all
 * findings of the project for each asset.
 */
const openOnAssets = (which: string) => `
  SELECT f.id, f.asset_name, f.rule_id
  FROM unnest($4::text[]) AS asset(name)
  CROSS JOIN LATERAL (
    SELECT f.id, f.asset_name, f.rule_id FROM findings f
    WHERE f.tenant_id = $1 AND f.asset_name = asset.name
      AND (f.project_id = $2) IS TRUE AND (f.status = 'open') IS TRUE AND f.last_scan_id <> $3 AND ${which}
    OFFSET 0
  ) f`;

export const OPEN_ON_ASSETS: Statement = {
  name: 'findings-open-on-assets',
  reason: 'set',
  text: openOnAssets('NOT f.rule_id = ANY($5::text[])'),
};

const OPEN_ON_PROJECTS: Statement = {
  name: 'findings-open-on-projects',
  reason: 'set',
  text: openOnAssets('f.rule_id = ANY($5::text[])'),
};

const OBSERVE: Statement = {
  name: 'findings-observe',
  reason: 'set',
  text: `UPDATE findings f SET observed_scan_id = $2, observed_decided = o.decided
         FROM unnest($3::uuid[], $4::boolean[]) AS o(id, decided)
         WHERE f.tenant_id = $1 AND f.id = o.id AND f.observed_scan_id IS DISTINCT FROM $2`,
};

export interface Resolution {
  /** The inventory of the scan. Its assets have been evaluated. */
  readonly inventoryId: string;
  /** Rules that the scan evaluated on single assets. */
  readonly rulesOnAssets: readonly string[];
  /** Asset types in the snapshot. For any other type it is unknown whether its assets still exist. */
  readonly assetTypes: readonly string[];
  /** Rules that the scan evaluated on whole projects and that gave a result. */
  readonly rulesOnProjects: readonly string[];
  /** Rules on whole projects, whether or not they gave a result. */
  readonly rulesNotOnAssets: readonly string[];
  /** All existing rules. */
  readonly knownRules: readonly string[];
  /** The scan whose findings `repeatAllFindings` has repeated, which are not stale. */
  readonly repeatedScanId: string | null;
  /** The only findings that may be stale; null: all of the project. */
  readonly among: readonly string[] | null;
}

/** Findings of a severity that a scan resolved. The same severity may come several times. */
export interface ResolvedCount {
  readonly severity: Severity;
  readonly count: number;
  /** Those whose problem has ended. The others were resolved because their rule no longer exists. */
  readonly ended: number;
  /** The sum of the ages of those that have ended, from the first scan that saw each to its resolution. */
  readonly seconds: number;
}

/**
 * Resolves, at the end of a project's scan, the findings that it did not report again: `fixed` when the asset was
 * evaluated, `asset_gone` when it was missing, `rule_retired` when the rule no longer exists. The index of the inventory
 * or a mark of `observeAssets` tells whether an asset was evaluated. Findings that the scan could not evaluate stay open:
 * rule outside the profile, asset type missing from the snapshot, result UNKNOWN.
 * @returns the numbers of resolved findings by severity.
 */
export async function resolveFindings(
  db: TenantConnection,
  scan: ScanOfProject,
  resolution: Resolution,
): Promise<ResolvedCount[]> {
  const values = [
    db.tenantId,
    scan.projectId,
    scan.scanId,
    resolution.rulesOnAssets,
    resolution.knownRules,
    resolution.assetTypes,
    resolution.rulesOnProjects,
    resolution.inventoryId,
    resolution.rulesNotOnAssets,
    resolution.repeatedScanId,
  ];
  if (resolution.among === null) await db.sql(SEEK_STALE, values);
  else await db.sql(SEEK_STALE_AMONG, [...values, resolution.among]);
  const resolved: ResolvedCount[] = [];
  for (;;) {
    const stale = await db.sql<{ id: string; reason: string }>(NEXT_STALE);
    if (stale.length > 0) {
      const values = [
        db.tenantId,
        scan.scanId,
        scan.scanAt,
        scan.now,
        stale.map(({ id }) => id),
        stale.map(({ reason }) => reason),
      ];
      resolved.push(...(await db.sql<ResolvedCount>(RESOLVE, values)));
    }
    if (stale.length < RESOLVED_AT_A_TIME) return resolved;
  }
}

/** Batch size that keeps each statement below the statement timeout. */
const RESOLVED_AT_A_TIME = 10_000;

const seekStale = (findings: string) => `
    DECLARE stale NO SCROLL CURSOR FOR
    SELECT id, CASE
        WHEN NOT rule_id = ANY($5::text[]) THEN 'rule_retired'
        WHEN observed_scan_id = $3 THEN 'fixed'
        WHEN NOT rule_id = ANY($9::text[]) AND EXISTS (
          SELECT 1 FROM inventory_assets a
          WHERE a.tenant_id = $1 AND a.inventory_id = $8 AND a.name = findings.asset_name COLLATE "C") THEN 'fixed'
        ELSE 'asset_gone'
      END AS reason
    FROM ${findings}
    WHERE tenant_id = $1 AND project_id = $2 AND status = 'open' AND last_scan_id <> $3
      AND ((last_scan_id = $10) IS NOT TRUE OR rule_id = ANY($9::text[]))
      AND (
        NOT rule_id = ANY($5::text[])
        OR ((rule_id = ANY($4::text[]) AND asset_type = ANY($6::text[]) OR rule_id = ANY($7::text[]))
            AND (observed_scan_id IS DISTINCT FROM $3 OR observed_decided))
      )`;

const SEEK_STALE: Statement = {
  name: 'findings-seek-stale',
  reason: 'set',
  text: seekStale('findings'),
};

const SEEK_STALE_AMONG: Statement = {
  name: 'findings-seek-stale-among',
  reason: 'set',
  text: seekStale(findingsById('$11')),
};

const NEXT_STALE: Statement = {
  name: 'findings-next-stale',
  reason: 'set',
  text: `FETCH FORWARD ${RESOLVED_AT_A_TIME} FROM stale`,
};

const RESOLVE: Statement = {
  name: 'findings-resolve',
  reason: 'set',
  text: `
    WITH resolved AS (
      UPDATE findings f SET
        status = 'resolved', delta = 'resolved', resolved_at = $4, resolved_reason = stale.reason,
        last_seen_at = stale.last_seen_at, last_scan_id = stale.last_scan_id
      FROM (
        SELECT s.id, s.reason, seen.last_seen_at, seen.last_scan_id
        FROM unnest($5::uuid[], $6::text[]) AS s(id, reason)
        CROSS JOIN LATERAL (SELECT * FROM ${SEEN_FINDINGS} seen WHERE seen.tenant_id = $1 AND seen.id = s.id LIMIT 1) seen
      ) AS stale
      WHERE f.tenant_id = $1 AND f.id = stale.id
      RETURNING f.id, f.severity, f.resolved_at - f.first_seen_at AS age, f.resolved_reason <> 'rule_retired' AS has_ended
    ), noted AS (
      INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
      SELECT $1, $2, id, 'resolved', $3 FROM resolved
    )
    SELECT severity, count(*)::int AS count,
           count(*) FILTER (WHERE has_ended)::int AS ended,
           COALESCE(sum(greatest(0, round(extract(epoch FROM age)))) FILTER (WHERE has_ended), 0)::float8 AS seconds
    FROM resolved GROUP BY severity`,
};
