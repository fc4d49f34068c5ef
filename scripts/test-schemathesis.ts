// npm run test:schemathesis -- [--minutes 3] [--seed 1] [--every-refusal]: tests the live server against the document that
// it serves, with all checks of schemathesis and the links between operations. Other arguments are passed on to
// `schemathesis run`.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFuzzedServer } from '../tests/schemathesis/server.ts';
import { run } from '../tests/third-parties/run.ts';
import { installedVenv } from '../tests/third-parties/venv.ts';
import { buildServer } from './build.mjs';

const FOLDER = fileURLToPath(new URL('../tests/schemathesis/', import.meta.url));
/** Each gets its share of the time, because the first would leave none for the others on a busy machine. */
const PHASES = ['examples,coverage', 'fuzzing', 'stateful'];
const PROGRAMS = fileURLToPath(new URL('../dist/server', import.meta.url));

const { values, tokens } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
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
const work = join(FOLDER, 'dist/work');
await rm(work, { recursive: true, force: true });
await mkdir(work, { recursive: true });
const server = await startFuzzedServer(PROGRAMS);
try {
  for (const phases of PHASES) await test(phases);
} finally {
  await server.stop();
}

async function test(phases: string): Promise<void> {
  const seconds = Math.ceil((Number(values.minutes) * 60) / PHASES.length);
  const limits = ['--max-time', String(seconds), '--seed', String(values.seed)];
  try {
    await run({
      command: join(bin, 'schemathesis'),
      args: [
        ...['--config-file', join(FOLDER, 'schemathesis.toml')],
        ...['run', `${server.url}/openapi.json`, '--no-color', '--phases', phases],
        ...[...limits, ...passedOn],
      ],
      // It leaves caches in its folder.
      cwd: work,
      environment: {
        PYTHONPATH: FOLDER,
        SESSIONS_URL: server.sessionsUrl,
        EVERY_REFUSAL: values['every-refusal'] ? '1' : '0',
      },
      show: true,
    });
  } catch {
    process.exitCode = 1;
  }
}
