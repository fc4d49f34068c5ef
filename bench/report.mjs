/**
 * @typedef {object} Row
 * @property {string} part
 * @property {string} what
 * @property {string} value
 * @property {string} [goal]
 * @property {boolean} [met] of a goal that holds now
 */

/**
 * One table for a terminal.
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function table(rows) {
  const cells = [
    ['', 'measured', 'value', 'goal', ''],
    ...rows.map((row) => [row.part, row.what, row.value, row.goal ?? '', verdict(row)]),
  ];
  return aligned(cells, (at) => at === 2);
}

/**
 * Columns for a terminal, under a head.
 * @param {readonly (readonly string[])[]} cells the first line is the head
 * @param {(column: number) => boolean} isNumeric
 * @returns {string}
 */
export function aligned(cells, isNumeric) {
  const widths = cells[0].map((_, at) => Math.max(...cells.map((line) => line[at].length)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => (isNumeric(at) ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(Math.max(...lines.map((line) => line.length)));
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

/** @param {Row} row */
export function verdict({ met }) {
  if (met === undefined) return '';
  return met ? 'met' : 'MISSED';
}
