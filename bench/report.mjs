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
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...cells.map((line) => line[at].length)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => (at === 2 ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(Math.max(...lines.map((line) => line.length)));
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function verdict({ met }) {
  if (met === undefined) return '';
  return met ? 'met' : 'MISSED';
}
