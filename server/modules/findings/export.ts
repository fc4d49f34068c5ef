import { EXPORTS, type ExportContext, type ExportedFinding, RULES } from '@cspm/scanner';
import { attachment } from '../../platform/attachment.ts';
import type { TenantReads } from '../../platform/database/replica-reads.ts';
import { ahead } from '../../platform/prefetch.ts';
import { type Pause, pausing, TenantTurns } from '../../platform/tenant-turns.ts';
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
 * connection, and yields small pieces, so that the caller can pause between them. The next page is read while one is
 * formatted. Each finding appears once. Findings created during the export are not included; changes of status show if
 * their page has not been read yet.
 * @param pause waits for statements, if the pieces are prepared in turns.
 */
export async function* exportFindings(
  reads: TenantReads,
  tenantId: string,
  { format, filter, now, ruleUri }: FindingExport,
  pause: Pause = (pending) => pending,
): AsyncGenerator<string, void, undefined> {
  const { custom, byRules } = await pause(
    reads.read(tenantId, async (db) => ({
      custom: (await listCustomRules(db)).map(asRule),
      byRules: await withRulesOf(db, filter),
    })),
  );
  const own = new Map(custom.map((rule) => [rule.id, rule]));
  const context: ExportContext = {
    ruleOf: (ruleId) => BUILT_IN.get(ruleId) ?? own.get(ruleId),
    ruleUri,
  };
  const pages = pausing(pause, ahead(pagesOf(reads, tenantId, byRules, now)));
  yield* EXPORTS[format].write(slicesOf(pages, byRules.muted), context);
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

/** Exports of a tenant read one page at a time. Shared by all servers of a process, as are the connections of a tenant. */
const READING = new TenantTurns(Number.POSITIVE_INFINITY);

async function* pagesOf(
  reads: TenantReads,
  tenantId: string,
  { muted: _, ...filter }: FindingFilter,
  now: Date,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  let after: FindingPosition | null = null;
  let limit = PAGE;
  for (;;) {
    const page = { after, limit, now };
    const rows: ExportRow[] = await READING.run(tenantId, () =>
      reads.read(tenantId, (db) => readExportPage(db, filter, page)),
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || (last.found === rows.length && last.found < limit)) return;
    after = { id: last.id, key: '' };
    // Postgres measures all rows of a page, so after large ones it is asked for fewer.
    limit = Math.min(PAGE, 2 * rows.length);
  }
}

/** Slices of pages. The consumer pauses between them. */
async function* slicesOf(
  pages: AsyncIterable<readonly ExportRow[]>,
  muted: boolean | undefined,
): AsyncGenerator<ExportedFinding[], void, undefined> {
  for await (const rows of pages) {
    for (const slice of sliced(rows)) {
      const shown = slice.map((row) => findingView({ ...row, evidence: JSON.parse(row.evidence) }));
      // The export reads everything anyway, so filtering here is cheaper than a query for muted findings on each page.
      yield muted === undefined ? shown : shown.filter((f) => (f.muted !== null) === muted);
    }
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
