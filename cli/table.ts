import { styleText } from 'node:util';
import type { Finding } from '@cspm/sdk';
import type { Severity } from './severity.ts';

/** The parts of a finding that the table shows. */
export interface Row {
  readonly severity: Severity;
  readonly ruleId: string;
  readonly asset: string;
  readonly message: string;
  /** `new`, `reopened`, or '' for an unchanged finding and a local scan. */
  readonly note: string;
  /** The id for `cspm findings show`. Findings of a local scan have none. */
  readonly id?: string;
}

/** The row of a finding of the service. */
export function rowOf({ id, severity, ruleId, asset, message, delta }: Finding): Row {
  const note = delta === 'unchanged' ? '' : delta;
  return { id, severity, ruleId, asset: asset.name, message, note };
}

export const COLOURS = {
  critical: 'magenta',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'gray',
} as const;

/** Lines of a finding: severity, rule and asset; then the message; then the id, if it has one. */
export function findingLines(row: Row, colours: boolean): string {
  const label = row.severity.toUpperCase().padEnd(8);
  const severity = colours
    ? styleText(COLOURS[row.severity], label, { validateStream: false })
    : label;
  const note = row.note === '' ? '' : `  (${row.note})`;
  const id = row.id === undefined ? '' : `          id ${printable(row.id)}\n`;
  return `${severity}  ${row.ruleId}  ${printable(row.asset)}${note}\n          ${printable(row.message)}\n${id}`;
}

/** Replaces control characters, because names from an inventory could contain terminal escape sequences. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
