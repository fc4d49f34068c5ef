// npm run test:consumers: tests the SDK from its tarball, and clients generated from openapi.json, in separate
// projects. Arguments are names of the SDK's consumers.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const only = process.argv.slice(2);

run('sdk/consumers/run.mjs', ...only);
if (only.length === 0) run('openapi/third-parties.mjs');

function run(program, ...args) {
  if (!existsSync(join(ROOT, program))) return;
  const { status } = spawnSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
