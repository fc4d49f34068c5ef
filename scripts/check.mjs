// npm run check: all static checks, two at a time.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const CHECKS = {
  types:
    'node node_modules/typescript-7/bin/tsc --incremental --tsBuildInfoFile node_modules/.cache/check.tsbuildinfo',
  'types of the console':
    'node node_modules/typescript-7/bin/tsc -p console/tsconfig.json --incremental --tsBuildInfoFile node_modules/.cache/console.tsbuildinfo',
  'lint and format': 'biome check --error-on-warnings',
  'import boundaries': 'tsx scripts/check-boundaries.ts',
  'dead code': 'knip',
  'generated files': 'tsx scripts/generate.ts --check',
  'schema drift': 'tsx scripts/check-drift.ts',
  'migrations beside the running version': 'tsx scripts/check-migrations.ts',
  deployment: 'tsx scripts/check-deployment.ts',
  'changes since the last release':
    'tsx scripts/check-breaking.ts --since-release --without-oasdiff',
  'OpenAPI lint': 'redocly lint openapi.json',
  'SDK size': 'tsx scripts/check-sdk-size.ts',
  'SDK package': 'tsx scripts/check-sdk-package.ts',
  'console size': 'node scripts/check-console-size.mjs',
};
const AT_A_TIME = 2;

const waiting = Object.entries(CHECKS);
const failed = [];
await Promise.all(Array.from({ length: AT_A_TIME }, work));
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}
console.log(`\nAll ${Object.keys(CHECKS).length} checks passed.`);

async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next;
    const startedAt = Date.now();
    const { code, output } = await run(command);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    if (code !== 0) failed.push(name);
    if (code !== 0 || /^(SDK|migrations|console)/.test(name)) console.log(indent(output));
  }
}

/** npm adds the folder of installed commands to the PATH. */
async function run(command) {
  const [program, ...words] = command.split(' ');
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const exited = new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, output: output + errors };
}

function indent(output) {
  return output.trimEnd().replace(/^/gm, '    ');
}
