import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { RANK } from './finding-filter.ts';
import { matching, type ScanMoment } from './matching.ts';
import { type FindingRow, findingsOfIds, findScanMoment } from './queries.ts';

export interface MutedInScan {
  readonly scan: string;
  /** The deltas that the scan recorded. */
  readonly delta: readonly string[];
  readonly limit: number;
  /** Decides which mutes are active. */
  readonly now: Date;
}

/** The driver parses the evidence of a read, which may be long, without a pause. */
const FINDINGS_A_READ = 25;

/**
 * The most severe muted findings of a scan. They are found from the mutes: few findings are muted, and a page of the
 * findings of a scan would compare each of them with all mutes.
 */
export async function mutedInScan(
  db: TenantConnection,
  { scan: id, delta, limit, now }: MutedInScan,
): Promise<FindingRow[]> {
  const scan = await findScanMoment(db, id);
  if (scan === null) return [];
  const { statement, values } = mutedQuery(db.tenantId, scan, { delta, limit, now });
  const rows = await db.sql<{ id: string }>(statement, values);
  const ids = rows.map((row) => row.id);
  const found: FindingRow[] = [];
  for (let at = 0; at < ids.length; at += FINDINGS_A_READ) {
    const next = ids.slice(at, at + FINDINGS_A_READ);
    const byId = new Map((await findingsOfIds(db, next, now)).map((row) => [row.id, row]));
    found.push(...next.flatMap((id) => byId.get(id) ?? []));
  }
  return found;
}

export function mutedQuery(
  tenantId: string,
  scan: ScanMoment,
  { delta, limit, now }: Omit<MutedInScan, 'scan'>,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const rows = matching('muted-in-scan', tenantId, now, { delta }, scan, ['delta'], {
    whole: 'included',
  });
  const { parts, tables, muted } = rows;
  const text = `WITH ${tables} SELECT f.id ${muted}
                ORDER BY ${RANK}, f.id DESC LIMIT ${parts.placeholder(limit)}`;
  return { statement: { name: parts.name, reason: 'set', text }, values: parts.values };
}
