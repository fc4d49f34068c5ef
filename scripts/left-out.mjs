import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What bundles leave out of packages: it takes time when the server starts, and memory as long as it runs. */
const LEFT_OUT = [
  {
    // Reports use the standard fonts of PDF. fontkit reads others, and takes 40 to 60 ms to load.
    filter: /^fontkit$/,
    importer: /[\\/]node_modules[\\/]pdfkit[\\/]/,
    contents: `export function create() {
  throw new Error('Only the standard fonts of PDF are in this bundle.');
}`,
  },
  {
    // Looking for a configuration of the queue in the working directory and the folders above it. It could be a program, and
    // would run as soon as the package is loaded.
    filter: /^cosmiconfig$/,
    importer: /[\\/]node_modules[\\/]graphile-worker[\\/]/,
    contents: `export const cosmiconfigSync = () => ({ search: () => null });`,
  },
  {
    // Messages of zod in other languages than English.
    filter: /\/locales\/index\.js$/,
    importer: /[\\/]node_modules[\\/]zod[\\/]/,
    contents: `export { default as en } from './en.js';`,
  },
  {
    // East Asian encodings. Bodies of requests in these are refused before they are decoded.
    filter: /^\.\/tables\/[\w-]+\.json$/,
    importer: /[\\/]node_modules[\\/]iconv-lite[\\/]/,
    contents: `throw new Error('This encoding is not in this bundle.');`,
  },
];

/** Extensions of files whose types Express and its packages know in a bundle, of more than 1,000. */
const EXTENSIONS =
  'bin css csv gif gz html ico jpeg jpg js json md mjs pdf png svg txt wasm webp woff woff2 xml yaml zip';
const KNOWN = new Set(EXTENSIONS.split(' '));

/** A plugin for esbuild that leaves out what the programs never use. */
export const WITHOUT_UNUSED_PARTS = {
  name: 'without-unused-parts',
  setup(build) {
    for (const [at, { filter, importer: of, contents }] of LEFT_OUT.entries()) {
      const namespace = `left-out-${at}`;
      build.onResolve({ filter }, ({ path, importer, resolveDir }) =>
        of.test(importer) ? { path, namespace, pluginData: dirname(join(resolveDir, path)) } : null,
      );
      build.onLoad({ filter: /.*/, namespace }, ({ pluginData: resolveDir }) => ({
        contents,
        resolveDir,
      }));
    }
    build.onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
      const types = Object.entries(JSON.parse(await readFile(path, 'utf8')));
      const kept = types.filter(([, type]) => type.charset || type.extensions?.some(isKnown));
      return { contents: JSON.stringify(Object.fromEntries(kept)), loader: 'json' };
    });
  },
};

function isKnown(extension) {
  return KNOWN.has(extension);
}
