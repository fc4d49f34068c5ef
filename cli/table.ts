import { styleText } from 'node:util';
import type { Severity } from './severity.ts';

/** The parts of a finding that the table shows. */
export interface Row {
  readonly severity: Severity;
  readonly ruleId: string;
  readonly asset: string;
  readonly message: string;
  /** `new`, `reopened`, or '' for an unchanged finding and a local scan. */
  readonly note: string;
}

export const COLOURS = {
  critical: 'magenta',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'gray',
} as const;

/** Two lines per finding: severity, rule and asset; then the message. */
export function findingLines(row: Row, colours: boolean): string {
  const label = row.severity.toUpperCase().padEnd(8);
  const severity = colours
    ? styleText(COLOURS[row.severity], label, { validateStream: false })
    : label;
  const note = row.note === '' ? '' : `  (${row.note})`;
  return `${severity}  ${row.ruleId}  ${printable(row.asset)}${note}\n          ${printable(row.message)}\n`;
}

/** Replaces control characters, because names from an inventory could contain terminal escape sequences. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
