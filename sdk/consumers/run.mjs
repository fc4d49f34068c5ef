// npm run test:consumers: packs the SDK as it is shipped and uses it in independent projects. Each is copied to a
// temporary folder, installed from its lock file, given the tarball, and run by its `npm test`.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { EXPECTED, startService } from './service.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SDK = join(HERE, '..');
const REGISTRY = /^npm_config_(registry|https?_proxy|cafile|cache)$/;
const execute = promisify(execFile);

/** The projects, each a folder beside this file. `with` names another project whose files it also gets. */
const CONSUMERS = {
  // The one that takes longest comes first.
  next: { exercises: 2 },
  'node-esm': { exercises: 1 },
  'node-cjs': { exercises: 1 },
  browser: { exercises: 1 },
  bun: { with: 'node-esm', exercises: 1 },
  deno: { with: 'node-esm', exercises: 1 },
  react: { exercises: 1 },
  workers: { exercises: 1 },
  'typescript-5.9': { with: 'typescript', exercises: 2 },
  'typescript-7': { with: 'typescript', exercises: 2 },
};
/** Our environment without the variables by which npm tells programs which project they belong to. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$)/.test(name) || REGISTRY.test(name),
  ),
);
const AT_A_TIME = 2;
const MAX_INSTANTIATIONS = 5000;
const STEP_TIMEOUT_MS = 300_000;

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(CONSUMERS, name));
if (unknown)
  throw new Error(`There is no consumer ${unknown}: ${Object.keys(CONSUMERS).join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'cspm-consumers-'));
const service = await startService();
const rows = [];
try {
  const tarball = await pack();
  const waiting = Object.keys(CONSUMERS).filter((name) => !wanted[0] || wanted.includes(name));
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const row = await tryOut(name, CONSUMERS[name], tarball);
      console.log(line(row));
      rows.push(row);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
} finally {
  service.close();
  await rm(folder, { recursive: true, force: true });
}
for (const fault of service.faults)
  console.log(`The service was sent what it must not be: ${fault}`);
const tried = rows.filter(({ seconds }) => seconds !== null);
const served = tried.filter(({ complaints }) => complaints.length === 0);
console.log(`\n${served.length} of ${tried.length} consumers are served.`);
process.exitCode = served.length < tried.length || service.faults.length > 0 ? 1 : 0;

async function pack() {
  await run(SDK, 'npm', 'run', 'generate', '--prefix', '..');
  await run(SDK, 'npm', 'pack', '--pack-destination', folder);
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  return join(folder, name);
}

/** Installs and runs a project; problems are collected in `complaints`. */
async function tryOut(name, consumer, tarball) {
  const startedAt = Date.now();
  const project = join(folder, name);
  const complaints = [];
  let output = '';
  try {
    await assemble(project, name, consumer);
    if (!(await isForHere(project))) return { name, complaints, output, seconds: null };
    await run(project, 'npm', 'ci', '--prefer-offline');
    await run(project, 'npm', 'install', '--no-save', '--prefer-offline', tarball);
    output = await run(project, 'npm', 'test', '--silent');
    complaints.push(...complaintsAbout(output, consumer));
  } catch (error) {
    complaints.push(`${error.message}\n${error.stdout ?? ''}`.slice(0, 3000));
  }
  return { name, complaints, output, seconds: (Date.now() - startedAt) / 1000 };
}

/** Copies the project's own files, the files it shares with others, and the exercise. */
async function assemble(project, name, consumer) {
  await mkdir(project);
  for (const part of [consumer.with, name]) {
    if (part) await cp(join(HERE, part), project, { recursive: true, filter: isSource });
  }
  for (const part of ['.npmrc', 'exercise.mjs']) await cp(join(HERE, part), join(project, part));
  if (consumer.with !== 'typescript') return;
  // The SDK's own type tests, compiled against the shipped types.
  const test = await readFile(join(SDK, 'src/client.test-d.ts'), 'utf8');
  await writeFile(join(project, 'wrong-use.test-d.ts'), asImported(test));
}

/** Whether its dependencies run on this platform; some lock files are bound to one. */
async function isForHere(project) {
  const { os, cpu } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  return (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
}

function isSource(path) {
  return !/\/(node_modules|\.next)$/.test(path);
}

function complaintsAbout(output, { exercises }) {
  const seen = output.split('\n').filter((text) => text.startsWith('{'));
  const complaints = seen
    .filter((text) => !isDeepStrictEqual(JSON.parse(text), EXPECTED))
    .map((text) => `saw  ${text}\nnot  ${JSON.stringify(EXPECTED)}`);
  if (seen.length !== exercises) complaints.push(`${seen.length} exercises, not ${exercises}`);
  if (instantiations(output) > MAX_INSTANTIATIONS) {
    complaints.push(`Ten calls may take ${MAX_INSTANTIATIONS} type instantiations.`);
  }
  return complaints;
}

function instantiations(output) {
  return Number(/^Instantiations:\s+(\d+)/m.exec(output)?.[1] ?? 0);
}

function line({ name, complaints, output, seconds }) {
  if (seconds === null) return `skipped ${name.padEnd(16)} for another kind of machine`;
  const types = instantiations(output);
  const note = types > 0 ? `  ten calls: ${types} type instantiations` : '';
  const verdict = complaints.length === 0 ? 'ok     ' : 'FAILED ';
  const text = `${verdict} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s${note}`;
  return [text, ...complaints.map((complaint) => complaint.trim().replace(/^/gm, '    '))].join(
    '\n',
  );
}

/** Runs a program and returns its output. */
async function run(cwd, program, ...args) {
  const env = { ...ENVIRONMENT, CSPM_URL: `${service.url}/${basename(cwd)}` };
  const { stdout } = await execute(program, args, { cwd, env, timeout: STEP_TIMEOUT_MS });
  return stdout;
}

/** A test of the SDK's sources, as a user of the package would write it. */
function asImported(test) {
  return test
    .replaceAll('./sessions/index.ts', '@cspm/sdk/session')
    .replaceAll('./index.ts', '@cspm/sdk');
}
