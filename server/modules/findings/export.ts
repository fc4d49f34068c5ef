import { EXPORTS, type ExportContext, type ExportedFinding, RULES } from '@cspm/scanner';
import { attachment } from '../../platform/attachment.ts';
import type { TenantReads } from '../../platform/database/replica-reads.ts';
import { asRule, listCustomRules } from '../rules/index.ts';
import type { FindingFilter } from './finding-filter.ts';
import type { FindingPage, FindingPosition } from './finding-page.ts';
import { type FindingRow, listFindings } from './queries.ts';
import { type RuleFilter, withRulesOf } from './rule-filter.ts';
import { findingView } from './view.ts';

/** Number of findings held in memory. */
const PAGE = 500;

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
 * connection. Each finding appears once. Findings created during the export are not included; changes of status show if
 * their page has not been read yet.
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
  yield* EXPORTS[format].write(pagesOf(reads, tenantId, byRules, now), context);
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

async function* pagesOf(
  reads: TenantReads,
  tenantId: string,
  { muted, ...filter }: FindingFilter,
  now: Date,
): AsyncGenerator<ExportedFinding[], void, undefined> {
  let after: FindingPosition | null = null;
  for (;;) {
    const page: FindingPage = { sort: 'newest', after, limit: PAGE, now };
    const rows: FindingRow[] = await reads.read(tenantId, (db) => listFindings(db, filter, page));
    const shown = rows.map(findingView);
    // The export reads everything anyway, so filtering here is cheaper than a query for muted findings on each page.
    yield muted === undefined ? shown : shown.filter((f) => (f.muted !== null) === muted);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = { id: last.id, key: '' };
  }
}
