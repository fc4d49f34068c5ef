import { EXPORTS, type ExportContext, type ExportedFinding, RULES } from '@cspm/scanner';
import { attachment } from '../../platform/attachment.ts';
import type { TenantReads } from '../../platform/database/replica-reads.ts';
import { asRule, listCustomRules } from '../rules/index.ts';
import { type ExportRow, readExportPage } from './export-page.ts';
import type { FindingFilter } from './finding-filter.ts';
import type { FindingPosition } from './finding-page.ts';
import { type RuleFilter, withRulesOf } from './rule-filter.ts';
import { findingView } from './view.ts';

/** Most findings of one read; `PAGE_BYTES` limits their size. */
const PAGE = 500;
/** Limits of a slice, which is formatted in one turn of the event loop: findings, and UTF-16 code units of their texts. */
const SLICE_FINDINGS = 50;
const SLICE_TEXT = 64 * 1024;

export interface FindingExport {
  readonly format: keyof typeof EXPORTS;
  readonly filter: FindingFilter & RuleFilter;
  /** The time of the request. Whether a mute is in force is decided for this time on every page. */
  readonly now: Date;
  /** Documentation page of a rule. */
  ruleUri(ruleId: string): string;
}

/**
 * Exports findings in another format, newest first. It reads page by page, so a slow client holds no database
 * connection, and yields small pieces, so that the caller can pause between them. Each finding appears once. Findings
 * created during the export are not included; changes of status show if their page has not been read yet.
 */
export async function* exportFindings(
  reads: TenantReads,
  tenantId: string,
  { format, filter, now, ruleUri }: FindingExport,
): AsyncGenerator<string, void, undefined> {
  const { custom, byRules } = await reads.read(tenantId, async (db) => ({
    custom: (await listCustomRules(db)).map(asRule),
    byRules: await withRulesOf(db, filter),
  }));
  const own = new Map(custom.map((rule) => [rule.id, rule]));
  const context: ExportContext = {
    ruleOf: (ruleId) => BUILT_IN.get(ruleId) ?? own.get(ruleId),
    ruleUri,
  };
  yield* EXPORTS[format].write(slicesOf(reads, tenantId, byRules, now), context);
}

/** Content type and file name of an export. */
export function exportHeaders(
  format: keyof typeof EXPORTS,
  now: Date,
): { 'Content-Type': string; 'Content-Disposition': string } {
  const { mediaType, extension } = EXPORTS[format];
  return {
    'Content-Type': mediaType,
    'Content-Disposition': attachment('findings', now, extension),
  };
}

const BUILT_IN = new Map(RULES.map((rule) => [rule.id, rule]));

/** Slices of pages. The consumer pauses between them. */
async function* slicesOf(
  reads: TenantReads,
  tenantId: string,
  { muted, ...filter }: FindingFilter,
  now: Date,
): AsyncGenerator<ExportedFinding[], void, undefined> {
  let after: FindingPosition | null = null;
  let limit = PAGE;
  for (;;) {
    const page = { after, limit, now };
    const rows: ExportRow[] = await reads.read(tenantId, (db) => readExportPage(db, filter, page));
    for (const slice of sliced(rows)) {
      const shown = slice.map((row) => findingView({ ...row, evidence: JSON.parse(row.evidence) }));
      // The export reads everything anyway, so filtering here is cheaper than a query for muted findings on each page.
      yield muted === undefined ? shown : shown.filter((f) => (f.muted !== null) === muted);
    }
    const last = rows.at(-1);
    if (last === undefined || (last.found === rows.length && last.found < limit)) return;
    after = { id: last.id, key: '' };
    // Postgres measures all rows of a page, so after large ones it is asked for fewer.
    limit = Math.min(PAGE, 2 * rows.length);
  }
}

function* sliced(rows: readonly ExportRow[]): Generator<readonly ExportRow[], void, undefined> {
  let from = 0;
  let length = 0;
  for (const [at, { evidence, message }] of rows.entries()) {
    length += evidence.length + message.length;
    if (at > from && (at - from === SLICE_FINDINGS || length > SLICE_TEXT)) {
      yield rows.slice(from, at);
      from = at;
      length = evidence.length + message.length;
    }
  }
  if (from < rows.length) yield rows.slice(from);
}
