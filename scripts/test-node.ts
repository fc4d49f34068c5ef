// npm run test:node -- <major> [--smoke | <test files>]: runs the tests on another version of Node, which it downloads
// from npm into ~/.cache/cspm. Without files it runs what `npm test` does; with --smoke a selection of a few minutes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_VERSIONS, nodeFolder } from '../tools/node-versions/node-versions.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** One file for each part that depends on Node most: start, HTTP, child processes, threads, streams, the SDK. */
const SMOKE = [
  'server/start/start-up.test.ts',
  'server/http/surface.test.ts',
  'server/modules/scans/scan-lifecycle.test.ts',
  'server/modules/scans/scan-evaluator.test.ts',
  'server/modules/auth/saml/xml-thread.test.ts',
  'server/modules/auth/password/password.test.ts',
  'sdk/conformance/conformance.test.ts',
  'cli/local-scan.test.ts',
  'cli/finding-store.test.ts',
];

const [major = '', ...given] = process.argv.slice(2);
const version = NODE_VERSIONS[major];
if (version === undefined) {
  console.error(
    `Usage: npm run test:node -- <${Object.keys(NODE_VERSIONS).join('|')}> [--smoke | <test files>]`,
  );
  process.exit(2);
}

const folder = await nodeFolder(version);
const tests = given.length === 0 ? ['--project=together', '--project=apart'] : given;
console.log(`Node ${version}, tested from ${folder}`);
const child = spawn(
  join(folder, 'node'),
  ['node_modules/vitest/vitest.mjs', 'run', ...(tests[0] === '--smoke' ? SMOKE : tests)],
  {
    cwd: ROOT,
    stdio: 'inherit',
    // Programs that tests start run on it too.
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
  },
);
const [code] = await once(child, 'exit');
process.exitCode = code === 0 ? 0 : 1;
