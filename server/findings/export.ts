import { EXPORTS, type ExportContext, type ExportedFinding, RULES } from '@cspm/scanner';
import { asRule } from '../custom-rules/as-rule.ts';
import { listCustomRules } from '../custom-rules/custom-rule-rows.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import type { FindingFilter, FindingPage } from './finding-page.ts';
import { type FindingRow, listFindings } from './finding-rows.ts';
import { findingView } from './finding-view.ts';

/** How many findings are in memory at a time. */
const PAGE = 500;

export interface FindingExport {
  readonly format: keyof typeof EXPORTS;
  readonly filter: FindingFilter;
  /** When it was asked for: which mutes are in force is decided once, for the whole of it. */
  readonly now: Date;
  /** Where more is told of a rule. */
  ruleUri(ruleId: string): string;
}

/**
 * Findings in the form of another program, newest first, page by page: a connection is held for a page and not for as
 * long as a slow reader takes. Each finding comes once. What was found after the export began is newer than its first
 * page and not in it; what a scan resolves or reopens meanwhile is told as its page finds it.
 */
export async function* exportFindings(
  tenants: TenantDatabase,
  tenantId: string,
  { format, filter, now, ruleUri }: FindingExport,
): AsyncGenerator<string, void, undefined> {
  const custom = (await tenants.read(tenantId, listCustomRules)).map(asRule);
  const own = new Map(custom.map((rule) => [rule.id, rule]));
  const context: ExportContext = {
    ruleOf: (ruleId) => BUILT_IN.get(ruleId) ?? own.get(ruleId),
    ruleUri,
  };
  yield* EXPORTS[format].write(pagesOf(tenants, tenantId, filter, now), context);
}

/** The headers of an export: what it is, and what to call the file that it becomes. */
export function exportHeaders(
  format: keyof typeof EXPORTS,
  now: Date,
): { 'Content-Type': string; 'Content-Disposition': string } {
  const { mediaType, extension } = EXPORTS[format];
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="findings-${stamp}.${extension}"`,
  };
}

const BUILT_IN = new Map(RULES.map((rule) => [rule.id, rule]));

async function* pagesOf(
  tenants: TenantDatabase,
  tenantId: string,
  { muted, ...filter }: FindingFilter,
  now: Date,
): AsyncGenerator<ExportedFinding[], void, undefined> {
  let before: string | null = null;
  for (;;) {
    const page: FindingPage = { before, limit: PAGE, now };
    const rows: FindingRow[] = await tenants.read(tenantId, (db) => listFindings(db, filter, page));
    const shown = rows.map(findingView);
    // The whole is gone through anyway: telling them apart here is cheaper than finding the muted ones for each page.
    yield muted === undefined ? shown : shown.filter((f) => (f.muted !== null) === muted);
    if (rows.length < PAGE) return;
    before = rows.at(-1)?.id ?? null;
  }
}
