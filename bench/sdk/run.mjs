// npm run bench:sdk [-- --write-docs] [name …]: runs our client and others through the same cases and measurements.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { subpathTable } from '../../sdk/conformance/subpaths/table.ts';
import { table } from '../../sdk/conformance/table.ts';
import { document, text } from './report.mjs';
import { subjects } from './subjects.mjs';
import { gzippedKb, importRatios, PACKAGES } from './weight.mjs';

const OURS = '@cspm/sdk';
const DOCUMENT = new URL('../../docs/sdk-conformance.md', import.meta.url);

/** Clients spend most of the time waiting, so several run in parallel. */
const AT_A_TIME = 3;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'write-docs': { type: 'boolean', default: false } },
});
const names = subjects
  .map(({ name }) => name)
  .filter((name) => positionals.length === 0 || positionals.includes(name));
if (names.length === 0) throw new Error(`Clients: ${subjects.map(({ name }) => name).join(', ')}`);

const startedAt = Date.now();
const server = start('plain-server.mjs', []);
const [url] = await once(server, 'message');
try {
  const found = await examineAll();
  console.error('what they weigh …');
  const report = {
    columns: await Promise.all(names.map(async (name) => `${name} ${await versionOf(name)}`)),
    figures: [...figureRows(found), ...(await weightRows()), row('cases passed', tallyOf(found))],
    cases: table.map(({ id, title }) => ({
      ...row(id, (name) => found.get(name).results[id].verdict),
      title,
    })),
    subpaths: subpathTable,
    machine: `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${Math.round((Date.now() - startedAt) / 1000)} s`,
  };
  console.log(text(report));
  if (flags['write-docs']) await writeFile(DOCUMENT, document(report));
  tellOfOurs(found);
} finally {
  server.kill();
}

async function examineAll() {
  const waiting = [...names];
  const found = new Map();
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const child = start('examine.mjs', [name, url]);
      const ended = once(child, 'exit').then(([code]) => {
        throw new Error(`${name} ended with code ${code} instead of an answer`);
      });
      const [answer] = await Promise.race([once(child, 'message'), ended]);
      ended.catch(() => {});
      found.set(name, answer);
      console.error(`${name}: ${tallyOf(found)(name)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return found;
}

function start(file, args) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, args, { execArgv: ['--import', import.meta.resolve('tsx')] });
}

function row(what, value) {
  return { what, values: names.map(value) };
}

function figureRows(found) {
  const [{ figures }] = found.values();
  return Object.keys(figures).map((what) => row(what, (name) => found.get(name).figures[what]));
}

async function weightRows() {
  const imports = await importRatios(names);
  const sizes = new Map();
  for (const name of names) sizes.set(name, await gzippedKb(name));
  return [
    row('gzipped', (name) => `${sizes.get(name).toFixed(1)} kB`),
    row('cold import, to openapi-fetch', (name) => `${imports.get(name).toFixed(1)} ×`),
  ];
}

function tallyOf(found) {
  return (name) => {
    const verdicts = Object.values(found.get(name).results).map(({ verdict }) => verdict);
    const passed = verdicts.filter((verdict) => verdict === 'pass').length;
    return `${passed} of ${verdicts.filter((verdict) => verdict !== 'n.a.').length}`;
  };
}

/** Failing cases of our own client make the run fail. */
function tellOfOurs(found) {
  for (const { id, verdict, why } of Object.values(found.get(OURS)?.results ?? {})) {
    if (verdict === 'pass') continue;
    console.log(`${OURS} ${id} ${verdict}: ${why}`);
    process.exitCode = 1;
  }
}

async function versionOf(name) {
  const folder = name === OURS ? '../../sdk' : `./node_modules/${PACKAGES[name]}`;
  const file = new URL(`${folder}/package.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')).version;
}
