import type { ExportedFinding, FindingPages } from './exported-finding.ts';

/** The columns in order. Times are unchanged, lists and values become text. */
const COLUMNS: Readonly<Record<string, (finding: ExportedFinding) => string | null | undefined>> = {
  id: ({ id }) => id,
  fingerprint: ({ fingerprint }) => fingerprint,
  ruleId: ({ ruleId }) => ruleId,
  title: ({ title }) => title,
  severity: ({ severity }) => severity,
  status: ({ status }) => status,
  delta: ({ delta }) => delta,
  project: ({ project }) => project,
  assetName: ({ asset }) => asset.name,
  assetType: ({ asset }) => asset.type,
  subject: ({ subject }) => subject,
  message: ({ message }) => message,
  evidence: ({ evidence }) => JSON.stringify(evidence),
  remediation: ({ remediation }) => remediation,
  compliance: ({ compliance }) => compliance.map((of) => `${of.framework} ${of.id}`).join('; '),
  firstSeenAt: ({ firstSeenAt }) => firstSeenAt,
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt,
  resolvedAt: ({ resolvedAt }) => resolvedAt,
  resolvedReason: ({ resolvedReason }) => resolvedReason,
  mutedReason: ({ muted }) => muted?.reason,
  mutedUntil: ({ muted }) => muted?.expiresAt,
};

/** Findings as CSV (RFC 4180): a header, lines that end in CRLF, UTF-8 without a byte order mark. */
export async function* csvOf(pages: FindingPages): AsyncGenerator<string, void, undefined> {
  const columns = Object.values(COLUMNS);
  let head = csvLine(Object.keys(COLUMNS));
  for await (const page of pages) {
    const lines = page.map((finding) => csvLine(columns.map((read) => read(finding) ?? '')));
    yield head + lines.join('');
    head = '';
  }
  if (head !== '') yield head;
}

/** A line of CSV whose cells no spreadsheet takes for formulas. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/**
 * Text that a spreadsheet could interpret as a formula: an operator at the beginning, half-width or full-width, also
 * after blanks and quotation marks; and a leading tab or line break, which some programs skip.
 */
const FORMULA = /^[\t\r\n]|^[\s"'\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * Every cell is quoted, so a program that separates by semicolons cannot split it. A possible formula gets a leading
 * apostrophe, because parts of findings are written by the owners of assets.
 */
function cellOf(text: string): string {
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
