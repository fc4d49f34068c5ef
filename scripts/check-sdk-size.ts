/** Measures the gzipped SDK, and fails above its limits. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { INTERNAL_NAMES, SMALLER } from '../tools/generate/sdk-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const report = [
  { name: 'client, as it is shipped', limit: 9216, code: await shipped() },
  // A bundler names the variables of the shipped file again, and less well.
  { name: 'client, in an application', limit: 9400, code: await minified('sdk/dist/index.js') },
  {
    name: 'session, a subpath of its own',
    limit: 2500,
    code: await minified('sdk/dist/session.js'),
  },
  {
    name: 'webhooks, a subpath of its own',
    limit: 1200,
    code: await minified('sdk/dist/webhooks.js'),
  },
  ...(await Promise.all([
    besideTheClient('react-query', 900),
    besideTheClient('schemas', 9000),
    besideTheClient('testing', 22_500),
    besideTheClient('upload', 2000),
  ])),
  // What every call runs through; the rest is the table of operations and what not every application calls.
  { name: 'core', limit: 3000, code: await asShipped('sdk/src/retry-loop.ts') },
];

for (const { name, limit, code } of report) {
  const bytes = gzipSync(code, { level: 9 }).length;
  console.log(`sdk ${name}: ${bytes} of at most ${limit} bytes (${code.length} before gzip)`);
  if (bytes > limit) process.exitCode = 1;
}

/** A part of the sources, minified like the package. */
async function asShipped(entry: string): Promise<Uint8Array> {
  const { code = '' } = await minify(new TextDecoder().decode(await minified(entry)), SMALLER);
  return new TextEncoder().encode(code);
}

/** A subpath as it is shipped. The client and peer dependencies are not counted. */
async function besideTheClient(name: string, limit: number) {
  const code = await readFile(join(root, `sdk/dist/${name}.js`));
  return { name: `${name}, a subpath of its own`, limit, code };
}

/** The size of a file from a CDN. */
function shipped(): Promise<Uint8Array> {
  return readFile(join(root, 'sdk/dist/index.js'));
}

async function minified(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    mangleProps: new RegExp(`^(${INTERNAL_NAMES.join('|')})$`),
    format: 'esm',
    target: 'es2022',
    write: false,
    // The whole SDK is measured, including optional parts.
    ignoreAnnotations: true,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
