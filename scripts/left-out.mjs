import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Modules that bundles replace, because loading them takes time at the start and memory afterwards. */
const LEFT_OUT = [
  {
    // Reports use the standard fonts of PDF. fontkit reads others, and takes 40 to 60 ms to load.
    filter: /^fontkit$/,
    importer: /[\\/]node_modules[\\/]pdfkit[\\/]/,
    contents: `export function create() {
  throw new Error('This bundle has only the standard PDF fonts.');
}`,
  },
  {
    // graphile-worker searches the working directory and its parents for a configuration file when it is loaded, and
    // executes the file if it is a script.
    filter: /^cosmiconfig$/,
    importer: /[\\/]node_modules[\\/]graphile-worker[\\/]/,
    contents: `export const cosmiconfigSync = () => ({ search: () => null });`,
  },
  {
    // zod's messages in languages other than English.
    filter: /\/locales\/index\.js$/,
    importer: /[\\/]node_modules[\\/]zod[\\/]/,
    contents: `export { default as en } from './en.js';`,
  },
  {
    // East Asian encodings. Request bodies in these encodings are rejected before they are decoded.
    filter: /^\.\/tables\/[\w-]+\.json$/,
    importer: /[\\/]node_modules[\\/]iconv-lite[\\/]/,
    contents: `throw new Error('This bundle does not have this encoding.');`,
  },
];

/** File extensions whose media types stay in the bundle; mime-db has more than 1,000. */
const EXTENSIONS =
  'bin css csv gif gz html ico jpeg jpg js json md mjs pdf png svg txt wasm webp woff woff2 xml yaml zip';
const KEPT_EXTENSIONS = new Set(EXTENSIONS.split(' '));

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
      const kept = types.filter(([, type]) => type.charset || type.extensions?.some(isKept));
      return { contents: JSON.stringify(Object.fromEntries(kept)), loader: 'json' };
    });
  },
};

function isKept(extension) {
  return KEPT_EXTENSIONS.has(extension);
}
