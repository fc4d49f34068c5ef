// What npm run build bundles into dist/standalone.
import { PACKAGES_INSIDE, SERVER_PROGRAMS } from './build.mjs';

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

/** @returns options of esbuild; `out` is the folder of the bundle, `root` the repository. */
export function standaloneBundle(root, out) {
  return {
    absWorkingDir: root,
    ...SERVER_PROGRAMS,
    ...PACKAGES_INSIDE,
    outdir: out,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  };
}
