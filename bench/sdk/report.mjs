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
const KEY = '✓ passes, ✗ fails, · the case does not apply to this client';
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
  return `# Our client compared with others

Written by \`npm run bench:sdk -- --write-docs\`: each client as published on npm, with its defaults, in its own process, in real
time against a loopback server. [sdk/conformance](../sdk/conformance/README.md) describes the cases. \`npm test\` also tests
our client with them. ${machine}.

## Measured
${markdown(['', ...columns], figures)}

- *Retry-After 90 s*: watched for 3 s. *requests per always-failing call*: 150 calls that all get 503. *abort in a sleep*: the minimum of
  five. *CPU per call*: of the client's process, as a multiple of \`fetch\` and \`response.json()\` for the same request, the median of five rounds.
  *gzipped*: the smallest program that uses the client, bundled and minified for Node. *cold import*: the minimum of five, each in a new process.
- stripe and got use \`node:http\`, which takes less CPU than \`fetch\` in this version of Node. openai, ky and got require Node 22 or later. Here they
  run with the version that is named above.
- A timing failure is counted only after a second failure. Failures are relative to our specification, parts of which other clients never promised.

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
Other clients have no subpaths. \`npx vitest run sdk/conformance\` runs these cases with our SDK, and with careless implementations that must fail each case.

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
