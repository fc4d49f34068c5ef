/**
 * @typedef {object} Report
 * @property {readonly string[]} columns each client with its version
 * @property {readonly Row[]} figures
 * @property {readonly (Row & { title: string })[]} cases the values are verdicts
 * @property {readonly { id: string, subpath: string, title: string }[]} subpaths cases of our client alone
 * @property {string} machine
 */
/** @typedef {{ what: string, values: readonly string[] }} Row */

const SIGNS = { pass: '✓', fail: '✗', 'n.a.': '·' };
const KEY = '✓ passes, ✗ fails, · the case says nothing of this client';
const TITLE_LENGTH = 78;

/** One table for a terminal: a row for each figure and each case, a column for each client. @param {Report} report */
export function text({ columns, figures, cases, machine }) {
  const rows = [
    ['', ...columns],
    ...figures.map(({ what, values }) => [what, ...values]),
    ...cases.map(({ what, title, values }) => [
      shortened(`${what} ${title}`),
      ...values.map((verdict) => SIGNS[verdict]),
    ]),
  ];
  const widths = rows[0].map((_, at) => Math.max(...rows.map((cells) => cells[at].length)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd(),
  );
  return [machine, KEY, '', ...lines].join('\n');
}

/** The same as a document. @param {Report} report */
export function document({ columns, figures, cases, subpaths, machine }) {
  return `# Our client beside others

Written by \`npm run bench:sdk -- --write-docs\`: every client as it comes from npm, with its defaults, in a process of its own, in real
time against a loopback server. The cases and what they stand for are those of [sdk/conformance](../sdk/conformance/README.md), where
our client is held against them by \`npm test\` too. ${machine}.

## Measured
${markdown(['', ...columns], figures)}

- *Retry-After 90 s*: watched for 3 s. *requests per always-failing call*: 150 calls that all meet 503. *abort in a sleep*: the least of
  five. *CPU per call*: of the client's process, as a multiple of \`fetch\` and \`response.json()\` for the same, the median of five rounds.
  *gzipped*: bundled and minified with the least that uses it, for Node. *cold import*: the least of five, of a new process each.
- stripe and got speak through \`node:http\`, which costs less CPU than \`fetch\` in this Node. openai, ky and got ask for Node 22 or later;
  here they run on what the project supports.
- Who fails by time has failed twice. A failure is one by our specification: some of it others never promised.

## Cases
${KEY}.

${markdown(
  ['', '', ...columns],
  cases.map(({ what, title, values }) => ({
    what: `\`${what}\``,
    values: [title, ...values.map((verdict) => SIGNS[verdict])],
  })),
)}

${subpathSection(subpaths)}`;
}

/** The cases of the subpaths. @param {Report['subpaths']} subpaths */
export function subpathSection(subpaths) {
  return `## Cases of the subpaths
The other clients have no such parts. \`npx vitest run sdk/conformance\` runs these cases with ours, and with careless ones that fail each.

${markdown(
  ['', 'subpath', 'guarantee'],
  subpaths.map(({ id, subpath, title }) => ({ what: `\`${id}\``, values: [subpath, title] })),
)}
`;
}

function markdown(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.map(({ what, values }) => line([what, ...values])),
  ].join('\n');
}

function shortened(words) {
  return words.length > TITLE_LENGTH ? `${words.slice(0, TITLE_LENGTH - 1)}…` : words;
}
