/** Measures the SDK as a user ships it, minified and gzipped, and fails past its limits. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `core` is what every call runs through; `client` is everything, the generated table included. Bytes. */
const BUNDLES = [
  { name: 'core', entry: 'sdk/src/perform.ts', limit: 3000 },
  { name: 'client', entry: 'sdk/src/index.ts', limit: 8000 },
];

for (const { name, entry, limit } of BUNDLES) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const bytes = gzipSync(code, { level: 9 }).length;
  console.log(`sdk ${name}: ${bytes} of at most ${limit} bytes (${code.length} before gzip)`);
  if (bytes > limit) process.exitCode = 1;
}
