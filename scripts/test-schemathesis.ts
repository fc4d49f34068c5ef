// npm run test:schemathesis -- [--minutes 30] [--seed 1] [--every-refusal]: tests the live server against the document that
// it serves, with all checks of schemathesis and the links between operations. Without --minutes, the number of examples
// is fixed, so that the same seed sends the same requests on every machine. Other arguments are passed on to
// `schemathesis run`.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFuzzedServer } from '../tests/schemathesis/server.ts';
import { run } from '../tests/third-parties/run.ts';
import { installedVenv } from '../tests/third-parties/venv.ts';
import { buildServer } from './build.mjs';

const FOLDER = fileURLToPath(new URL('../tests/schemathesis/', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('../dist/server', import.meta.url));

/** Only a phase that hangs takes as long as this. */
const TIMEOUT_MS = 6 * 3_600_000;
/** They run at the same time, each with a tenant and client addresses of its own. */
const PHASES = [
  { phases: 'examples,coverage', examples: 1, network: '10' },
  { phases: 'fuzzing', examples: 5, network: '11' },
  { phases: 'stateful', examples: 120, network: '12' },
];

const { values, tokens } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'every-refusal': { type: 'boolean', default: false },
  },
  strict: false,
  tokens: true,
});
const passedOn = tokens.flatMap((token) =>
  token.kind === 'option' && !['minutes', 'seed', 'every-refusal'].includes(token.name)
    ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
    : [],
);

const bin = await installedVenv(FOLDER);
await buildServer(PROGRAMS);
const work = await mkdtemp(join(FOLDER, 'dist/run-'));
const config = join(work, 'schemathesis.toml');
await writeFile(config, await configuration());
const server = await startFuzzedServer(PROGRAMS);
try {
  await Promise.all(PHASES.map(test));
} finally {
  await server.stop();
  await rm(work, { recursive: true, force: true });
}

async function test({ phases, examples, network }: (typeof PHASES)[number]): Promise<void> {
  try {
    const sessionsUrl = await server.tenant();
    const output = await run({
      command: join(bin, 'schemathesis'),
      args: [
        ...['--config-file', config],
        ...['run', `${server.url}/openapi.json`, '--no-color', '--phases', phases],
        ...['--seed', String(values.seed), ...boundOf(examples), ...passedOn],
      ],
      // It leaves caches in its folder.
      cwd: work,
      environment: {
        PYTHONPATH: FOLDER,
        SESSIONS_URL: sessionsUrl,
        CLIENT_NETWORK: network,
        EVERY_REFUSAL: values['every-refusal'] ? '1' : '0',
      },
      timeoutMs: TIMEOUT_MS,
    });
    console.log(output);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function configuration(): Promise<string> {
  const names = ['schemathesis.toml', ...(values.minutes === undefined ? ['bounded.toml'] : [])];
  const parts = await Promise.all(names.map((name) => readFile(join(FOLDER, name), 'utf8')));
  return parts.join('');
}

function boundOf(examples: number): string[] {
  if (values.minutes === undefined) {
    return ['--max-examples', String(examples), '--generation-deterministic'];
  }
  return ['--max-time', String(Math.ceil(Number(values.minutes) * 60))];
}
