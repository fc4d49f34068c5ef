// Writes the results of a run as a documentation page: a chart, tables, and the conditions of the measurement.
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { verdict as wordOf } from '../report.mjs';
import { footprintTable } from './footprint.mjs';
import { picture } from './picture.mjs';
import { measured, verdicts } from './verdict.mjs';

const PAGE = new URL('../../docs/bench.md', import.meta.url);
const PICTURE = new URL('../../docs/bench-api.svg', import.meta.url);
const VERSIONS = new URL('package.json', import.meta.url);
/** Other races may have their own sections on the page. */
const [BEGIN, END] = ['<!-- bench:api -->', '<!-- /bench:api -->'];
const EMPTY_PAGE = `# Measurements\n\nResults of the benchmarks in \`bench/\`. Ratios can be compared between machines, times cannot.\n\n${BEGIN}\n${END}\n`;

/**
 * @param {object} run
 * @param {readonly import('./contest.mjs').Heat[]} run.heats
 * @param {readonly import('./footprint.mjs').Footprint[]} run.footprints
 * @param {readonly import('./entrants.mjs').Entrant[]} run.entrants
 * @param {string} run.circumstances how it was measured
 */
export async function writeDocs({ heats, footprints, entrants, circumstances }) {
  await writeFile(PICTURE, picture(heats, entrants));
  const { dependencies } = JSON.parse(await readFile(VERSIONS, 'utf8'));
  const section = [
    '## The API compared with the same API in other frameworks',
    `\`GET /scans\` is a page of 25 scans with their projects, and \`GET /findings\` one of 25 findings with their projects, mutes and rules. \`GET /findings/summary\` counts all findings by nine facets; \`GET /scans/{id}/compliance\` evaluates the requirements of a framework by the verdicts of a scan. \`POST /projects\` writes a project and a row of the audit trail in one transaction. All of them check an API key in the database, count the request against a rate limit for its address, validate the input, and read the rows of one tenant with row-level security. The servers to compare with are written as the documentation of their framework shows. They do the same work, which the benchmark asserts before it starts. The lower bound is \`node:http\` with prepared statements, without rate limits and validation. [bench/README.md](../bench/README.md) describes the measurement.`,
    '![CPU and throughput of each server](bench-api.svg)',
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${machine()}. ${circumstances}`,
    '### Goals',
    markdown([
      ['', "our value ÷ the best competitor's", 'ratio', 'goal', ''],
      ...verdicts(heats, entrants).map((row) => [
        row.part,
        row.what,
        row.value,
        row.goal ?? '',
        wordOf(row),
      ]),
    ]),
    '### Medians',
    markdown(measured(heats, entrants)),
    '### At rest',
    markdown(footprintTable(footprints)),
    `Peers: ${Object.entries(dependencies)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
  ].join('\n\n');
  const page = await readFile(PAGE, 'utf8').catch(() => EMPTY_PAGE);
  const whole = page.includes(BEGIN) ? page : `${page}\n${BEGIN}\n${END}\n`;
  const [before] = whole.split(BEGIN);
  const after = whole.slice(whole.indexOf(END));
  await writeFile(PAGE, `${before}${BEGIN}\n${section}\n${after}`);
}

function machine() {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GiB`;
}

function markdown([head, ...lines]) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}
