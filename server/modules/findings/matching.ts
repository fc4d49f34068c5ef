import { type ColumnFilter, type FindingFilter, StatementParts } from './finding-filter.ts';
import {
  IS_MUTED_WHOLE,
  type MutedSource,
  mutedFindings,
  mutesOfAny,
  wholeMutes,
} from './muting.ts';
import { SEEN_FINDINGS, seenMuted } from './seen-findings.ts';

/** A scan, and when it was made, which names the partition of its findings. */
export interface ScanMoment {
  readonly id: string;
  readonly at: Date;
}

/** The findings that match a filter, as the source of aggregates: both texts begin with FROM and end with WHERE. */
export interface Matching {
  readonly parts: StatementParts;
  /** The common table expressions that the sources read. */
  readonly tables: string;
  /** Matching findings `f`, muted or not. */
  readonly all: string;
  /**
   * The matching findings `f` that are muted; if `whole` is `apart`, those for which `isMutedWhole` is false. They are a separate
   * source, because Postgres would otherwise search for each match among all muted findings.
   */
  readonly muted: string;
  /** Whether a finding `f` of `all` is muted with its whole rule or project. */
  readonly isMutedWhole: string;
  /** The column of the delta: that of the finding, or that which the scan recorded. */
  readonly delta: string;
}

/** The moment that decides which mutes are in force is the second value. */
const NOW = '$2::timestamptz';

/**
 * The rows of a tenant that match, for a statement that reads them all.
 * @param name begins the name of the statement.
 * @param columns the filters to apply besides those on text, time and asset.
 * @param source which findings `muted` has, and the columns of them that are read besides those of filters.
 */
export function matching(
  name: string,
  tenantId: string,
  now: Date,
  filter: FindingFilter,
  scan: ScanMoment | null,
  columns: readonly ColumnFilter[],
  source: MutedSource,
): Matching {
  const parts = new StatementParts(tenantId, now.toISOString());
  parts.named(name, '');
  const delta = scan === null ? 'f.delta' : 'sf.delta';
  const byRow = parts.rowConditions(filter);
  const conditions = [...parts.conditions(filter, columns, delta), ...byRow, 'true'].join(' AND ');
  const tables = [
    mutesOfAny(NOW),
    wholeMutes(NOW),
    mutedFindings(NOW, { ...source, among: byRow }),
  ].join(', ');
  const common = { parts, tables, isMutedWhole: IS_MUTED_WHOLE, delta };
  // `LIMIT 1` makes Postgres look up each row separately.
  const finding = (id: string) =>
    `CROSS JOIN LATERAL (SELECT * FROM ${SEEN_FINDINGS} f WHERE f.tenant_id = $1 AND f.id = ${id} LIMIT 1) f`;
  if (scan === null) {
    // The other compared columns were not read with the mutes.
    const found = byRow.length === 0 ? seenMuted(source.columns) : `muted m ${finding('m.id')}`;
    return {
      ...common,
      all: `FROM ${SEEN_FINDINGS} f WHERE f.tenant_id = $1 AND ${conditions}`,
      muted: `FROM ${found} WHERE ${conditions}`,
    };
  }
  const seen = seenBy(parts, scan);
  return {
    ...common,
    all: `FROM scan_findings sf ${finding('sf.finding_id')} WHERE ${seen} AND ${conditions}`,
    muted: `FROM muted m ${finding('m.id')}
            CROSS JOIN LATERAL (
              SELECT sf.delta FROM scan_findings sf WHERE ${seen} AND sf.finding_id = m.id LIMIT 1) sf
            WHERE ${conditions}`,
  };
}

/** Conditions on `sf`, with the month of the partition as a constant, so that Postgres plans for that partition alone. */
export function seenBy(parts: StatementParts, scan: ScanMoment): string {
  parts.named('scan', '');
  parts.named(monthOf(scan.at, 0).slice(0, 7), '');
  return `sf.tenant_id = $1 AND sf.scan_id = ${parts.placeholder(scan.id)}::uuid
          AND sf.scan_at = ${parts.placeholder(scan.at)}::timestamptz
          AND ${inMonths(scan.at, scan.at)}`;
}

/** The condition that `sf` is in one of the partitions from one month to another, both inclusive. */
export function inMonths(from: Date, to: Date): string {
  return `sf.scan_at >= '${monthOf(from, 0)}' AND sf.scan_at < '${monthOf(to, 1)}'`;
}

function monthOf(at: Date, ahead: number): string {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead)).toISOString();
}
