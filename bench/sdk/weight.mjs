// The weight of a client before its first call: bytes in a bundle, and time to import.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const OURS = fileURLToPath(new URL('../../sdk/dist/index.js', import.meta.url));
const ROUNDS = 5;
const YARDSTICK = 'openapi-fetch';
const execute = promisify(execFile);

/** The export name of each client in its package. */
export const PACKAGES = {
  openai: 'openai',
  anthropic: '@anthropic-ai/sdk',
  stripe: 'stripe',
  ky: 'ky',
  got: 'got',
  'openapi-fetch': 'openapi-fetch',
};

/** The smallest program that uses it. */
const USES = {
  '@cspm/sdk': `import { createClient } from '${OURS}'; export default createClient;`,
  openai: `import OpenAI from 'openai'; export default (options) => new OpenAI(options);`,
  anthropic: `import Anthropic from '@anthropic-ai/sdk'; export default (options) => new Anthropic(options);`,
  stripe: `import Stripe from 'stripe'; export default (key) => new Stripe(key);`,
  ky: `import ky from 'ky'; export default ky;`,
  got: `import got from 'got'; export default got;`,
  'openapi-fetch': `import createClient from 'openapi-fetch'; export default createClient;`,
};

/** Minified and gzipped, in kilobytes. @param {string} name */
export async function gzippedKb(name) {
  const { outputFiles } = await build({
    stdin: { contents: USES[name], resolveDir: HERE },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
}

/**
 * The duration of the first import in a new process, as a multiple of the baseline.
 * @param {readonly string[]} names
 */
export async function importRatios(names) {
  const all = new Set([...names, YARDSTICK]);
  const least = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of all) {
      const took = await importMs(PACKAGES[name] ?? OURS);
      // Other load only adds time, so the minimum counts.
      least.set(name, Math.min(least.get(name) ?? took, took));
    }
  }
  return new Map(names.map((name) => [name, least.get(name) / least.get(YARDSTICK)]));
}

async function importMs(specifier) {
  const program = `const before = performance.now(); await import(${JSON.stringify(specifier)});
    process.stdout.write(String(performance.now() - before));`;
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await execute(process.execPath, args, { cwd: HERE });
  return Number(stdout);
}
