// Tests openapi.json as third parties use it: generates a client with each of four generators, compiles all of them under
// strict TypeScript, and runs each against a real server. Installs the generators when they are missing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from './installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENTS = join(ROOT, 'openapi/clients');
const OUT = join(CLIENTS, 'dist');

await timed('install generators', () => installed(CLIENTS));
await rm(OUT, { recursive: true, force: true });
await mkdir(OUT);
await cp(join(ROOT, 'openapi.json'), join(OUT, 'openapi.json'));
await timed('openapi-typescript', () =>
  tool('openapi-typescript', 'dist/openapi.json', '--output', 'dist/openapi-fetch/schema.ts'),
);
await timed('@hey-api/openapi-ts', () =>
  tool('openapi-ts', ...['--input', './dist/openapi.json', '--output', 'dist/hey-api'], '--silent'),
);
await timed('orval', () => tool('orval', '--config', 'orval.config.cjs'));
await timed('swagger-typescript-api', () =>
  tool(
    'swagger-typescript-api',
    'generate',
    ...['--path', 'dist/openapi.json', '--output', 'dist/swagger-typescript-api'],
    ...['--name', 'client.ts', '--generate-union-enums', '--silent'],
  ),
);
await timed('tsc --strict', () => tool('tsc', '--project', 'tsconfig.json'));
await timed('real calls', () =>
  run(
    join(ROOT, 'node_modules/.bin/vitest'),
    ['run', '--config', join(ROOT, 'openapi/vitest.config.ts')],
    ROOT,
  ),
);

/** Runs a command of a package that is installed here. */
function tool(name, ...args) {
  return run(join(CLIENTS, 'node_modules/.bin', name), args, CLIENTS);
}

/** @throws {Error} with all that was printed, where the command fails. */
async function run(command, args, cwd) {
  // Keeps the programs from asking the network for updates.
  const env = { ...process.env, CI: 'true', NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}\n${printed}`);
  return printed;
}

async function timed(what, work) {
  const startedAt = Date.now();
  try {
    await work();
    process.stdout.write(`ok     ${what} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  } catch (error) {
    process.stdout.write(`FAILED ${what}\n${error.message}\n`);
    process.exit(1);
  }
}
