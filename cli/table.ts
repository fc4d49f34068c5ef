import { styleText } from 'node:util';
import type { Severity } from './severity.ts';

/** What a terminal shows of a finding. */
export interface Row {
  readonly severity: Severity;
  readonly ruleId: string;
  readonly asset: string;
  readonly message: string;
  /** `new`, `reopened`; '' where it was there before, or nobody knows. */
  readonly note: string;
}

const COLOURS = {
  critical: 'magenta',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'gray',
} as const;

/** Two lines for each finding: what and where, then why. */
export function findingLines(row: Row, colours: boolean): string {
  const label = row.severity.toUpperCase().padEnd(8);
  const severity = colours
    ? styleText(COLOURS[row.severity], label, { validateStream: false })
    : label;
  const note = row.note === '' ? '' : `  (${row.note})`;
  return `${severity}  ${row.ruleId}  ${printable(row.asset)}${note}\n          ${printable(row.message)}\n`;
}

/** Without what would steer the terminal: names come from somebody else's cloud. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
