import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { FindingFilter } from './finding-filter.ts';
import { type FindingPosition, type PageQuery, pageOfScan, pageOfTenant } from './finding-page.ts';
import { anyScope, lastingMuteOfEach } from './muting.ts';
import { type FindingRow, findingsStatement, findScanMoment } from './queries.ts';

/** Limit of the texts of a page. They come from assets, so a number of rows alone does not limit them. */
export const PAGE_BYTES = 1024 * 1024;

/** A finding of an export. The driver would parse all evidence of a page in one turn, so it is read as text. */
export interface ExportRow extends Omit<FindingRow, 'evidence'> {
  /** JSON. */
  evidence: string;
  /** The number of rows without the limit of bytes. */
  found: number;
}

export interface ExportPage {
  /** Null: the first page. */
  readonly after: FindingPosition | null;
  readonly limit: number;
  /** Decides which mutes are active. */
  readonly now: Date;
}

/** A page of the findings that match, newest first: as many as fit into `PAGE_BYTES`, but at least one. */
export async function readExportPage(
  db: TenantConnection,
  filter: FindingFilter,
  asked: ExportPage,
): Promise<ExportRow[]> {
  const page = { ...asked, sort: 'newest' } as const;
  if (filter.scan === undefined) {
    return select(db, pageOfTenant(db.tenantId, filter, page), page.limit);
  }
  const scan = await findScanMoment(db, filter.scan);
  return scan === null ? [] : select(db, pageOfScan(db.tenantId, scan, filter, page), page.limit);
}

function select(db: TenantConnection, page: PageQuery, limit: number): Promise<ExportRow[]> {
  const values = [...page.values, limit, PAGE_BYTES];
  return db.sql<ExportRow>(exportStatement(page), values);
}

const NOW = '$2::timestamptz';

/** The statement of a list without the rows beyond the limit of bytes. */
export function exportStatement(page: PageQuery): Statement {
  const tables = [...page.tables, anyScope(NOW)];
  const { text } = findingsStatement({ ...page, tables }, lastingMuteOfEach(NOW));
  return {
    // Not prepared: connections keep plans until the statistics are renewed. With a plan for few mutes, an export of 5,000
    // findings right after all of them were muted takes half a minute instead of half a second.
    name: '',
    reason: 'set',
    text: `
      SELECT id, fingerprint, rule_id, severity, title, project, asset_name, asset_type, subject, message,
             evidence::text AS evidence, status, delta, first_seen_at, last_seen_at, resolved_at, resolved_reason,
             mute_reason, mute_expires_at, recommendation, found
      FROM (
        SELECT page.*, count(*) OVER ()::int AS found, row_number() OVER newest AS place,
               sum(octet_length(page.evidence::text) + octet_length(page.message)) OVER newest AS bytes
        FROM (${text}) page
        WINDOW newest AS (ORDER BY page.id DESC)
      ) page
      WHERE place = 1 OR bytes <= $${page.values.length + 2}
      ORDER BY id DESC`,
  };
}
