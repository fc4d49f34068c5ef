import type { ExportedFinding, FindingPages } from './exported-finding.ts';

/** The columns, in their order. Times stand as they are, lists and values as text. */
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
  let head = line(Object.keys(COLUMNS));
  for await (const page of pages) {
    const lines = page.map((finding) => line(columns.map((read) => read(finding) ?? '')));
    yield head + lines.join('');
    head = '';
  }
  if (head !== '') yield head;
}

function line(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/**
 * What a spreadsheet would take for a formula: an operator at the beginning, in either width, also behind blanks and
 * quotation marks; and a tab or a line break there, which some programs skip.
 */
const FORMULA = /^[\t\r\n]|^[\s"'\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * In quotation marks whatever is in it: a program that separates by semicolons must not find a cell of its own inside.
 * What might be a formula is made a text by an apostrophe, since part of a finding is written by whoever made the asset.
 */
function cellOf(text: string): string {
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
