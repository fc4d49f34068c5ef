/** Measures the SDK, gzipped, and fails past its limits. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

const report = [
  { name: 'client, as it is shipped', limit: 8000, code: await shipped() },
  { name: 'client, in an application', limit: 8000, code: await minified('sdk/dist/index.js') },
  // What every call runs through; the rest is the table of operations and what not every application calls.
  { name: 'core', limit: 3000, code: await minified('sdk/src/perform.ts') },
];

for (const { name, limit, code } of report) {
  const bytes = gzipSync(code, { level: 9 }).length;
  console.log(`sdk ${name}: ${bytes} of at most ${limit} bytes (${code.length} before gzip)`);
  if (bytes > limit) process.exitCode = 1;
}

/** A file as a page gets it from a CDN. */
function shipped(): Promise<Uint8Array> {
  return readFile(join(root, 'sdk/dist/index.js'));
}

async function minified(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    // The whole of it is measured, whether or not somebody uses it.
    ignoreAnnotations: true,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
