import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { generateDtsBundle } from 'dts-bundle-generator';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { type MinifyOptions, minify } from 'terser';
import type { GeneratedFiles } from './files.ts';
import { typesBesideTheClient } from './sdk-subpath-types.ts';

/** What can be imported, by the name of its files: the client, and each subpath of the package. */
const ENTRIES = {
  index: 'sdk/src/index.ts',
  session: 'sdk/src/sessions/index.ts',
  webhooks: 'sdk/src/webhooks/index.ts',
};

/**
 * Subpaths that import the client, or a package that the user has installed. Each has the files with its public types;
 * the last one is the entry.
 */
const BESIDE_THE_CLIENT: Readonly<Record<string, readonly string[]>> = {
  'react-query': [
    'sdk/src/react-query/types.ts',
    'sdk/src/react-query/operations.gen.ts',
    'sdk/src/react-query/index.ts',
  ],
  testing: [
    'sdk/src/mock/document.ts',
    'sdk/src/mock/types.ts',
    'sdk/src/mock/answers.gen.ts',
    'sdk/src/mock/index.ts',
  ],
  upload: ['sdk/src/upload/types.ts', 'sdk/src/upload/index.ts'],
  schemas: ['sdk/src/schemas/schemas.gen.ts', 'sdk/src/schemas/index.ts'],
};

/**
 * Names of members that only the client itself uses, which are shortened in the package. None is a name of the public
 * types, or of what copies of the package share (`process-registry.ts`).
 */
export const INTERNAL_NAMES = [
  'accepted',
  'adopt',
  'anonymous',
  'begunAt',
  'binary',
  'clock',
  'consumed',
  'counters',
  'deadline',
  'encoded',
  'failed',
  'failures',
  'fault',
  'fed',
  'followed',
  'inputOf',
  'limitsOf',
  'loaded',
  'natural',
  'opening',
  'optionsOf',
  'paged',
  'params',
  'payload',
  'probe',
  'rest',
  'safe',
  'see',
  'sessional',
  'sign',
  'sleep',
  'spent',
  'streamed',
  'target',
  'traits',
  'unsent',
  'uploaded',
  'wallNow',
];

const INTERNAL = new RegExp(`^(${INTERNAL_NAMES.join('|')})$`);

/** What Terser makes smaller than esbuild does. The sources have no getters with effects, which it assumes. */
export const SMALLER: MinifyOptions = {
  module: true,
  compress: {
    passes: 3,
    ecma: 2020,
    pure_getters: true,
    unsafe_arrows: true,
    hoist_funs: true,
    inline: 1,
    reduce_funcs: false,
    conditionals: false,
    lhs_constants: false,
  },
};

/** Not minified: a minifier removes the marks by which bundlers leave out unused schemas. */
const READABLE = ['schemas'];

/** What can be imported from `@cspm/sdk/…`. */
export const SUBPATHS: readonly string[] = [
  ...Object.keys(ENTRIES).filter((name) => name !== 'index'),
  ...Object.keys(BESIDE_THE_CLIENT),
];

/** Subpaths share the client of the application, and use the packages that it has installed. */
const KEEP_OUTSIDE: Plugin = {
  name: 'client-and-packages-stay-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/index\.ts$/ }, () => ({ path: '@cspm/sdk', external: true }));
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path, external: true },
    );
  },
};

/**
 * Minified, so users who load the file directly get the documented size; the source maps contain the source.
 */
const COMMON: BuildOptions = {
  bundle: true,
  target: 'es2022',
  sourcemap: 'linked',
  write: false,
  logLevel: 'warning',
};

/**
 * The files of the SDK's package besides its README, by path from the root: the client as ESM and as CommonJS, and its
 * types in one file without imports, once for each. They are built from the sources on disk and committed
 * (docs/decisions/0016), because nothing builds them when someone packs the folder.
 */
export async function generateSdkPackage(root: string): Promise<GeneratedFiles> {
  const files: GeneratedFiles = { 'sdk/LICENSE': await readFile(join(root, 'LICENSE'), 'utf8') };
  for (const [name, entry] of Object.entries(ENTRIES)) {
    Object.assign(
      files,
      await bundles(root, name, entry, { mangleProps: INTERNAL }),
      typesOf(name, flattenedTypes(root, entry)),
    );
  }
  for (const [name, sources] of Object.entries(BESIDE_THE_CLIENT)) {
    const texts = await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')));
    Object.assign(
      files,
      await bundles(root, name, sources.at(-1) ?? '', { plugins: [KEEP_OUTSIDE] }),
      typesOf(name, typesBesideTheClient(texts)),
    );
  }
  return files;
}

async function bundles(
  root: string,
  name: string,
  entry: string,
  options: BuildOptions,
): Promise<GeneratedFiles> {
  const of = { ...options, entryPoints: [entry] };
  const outfile = `sdk/dist/${name}`;
  return {
    ...(await bundle(root, { ...of, format: 'esm', outfile: `${outfile}.js` })),
    // For Node, so that the names of the exports stand where an ESM importer of CommonJS looks for them.
    ...(await bundle(root, {
      ...of,
      format: 'cjs',
      outfile: `${outfile}.cjs`,
      platform: 'node',
    })),
  };
}

function typesOf(name: string, types: string): GeneratedFiles {
  return { [`sdk/dist/${name}.d.ts`]: types, [`sdk/dist/${name}.d.cts`]: types };
}

async function bundle(
  root: string,
  how: BuildOptions & { readonly outfile: string },
): Promise<GeneratedFiles> {
  const minified = !READABLE.some((name) => how.outfile.includes(`/${name}.`));
  const { outputFiles = [] } = await build({
    ...COMMON,
    ...how,
    minify: minified,
    absWorkingDir: root,
  });
  const [map = '', code = ''] = [/\.map$/, /\.c?js$/].map(
    (name) => outputFiles.find(({ path }) => name.test(path))?.text,
  );
  return minified
    ? smallerBundle(how.outfile, code, map)
    : { [how.outfile]: code, [`${how.outfile}.map`]: map };
}

async function smallerBundle(
  outfile: string,
  code: string,
  content: string,
): Promise<GeneratedFiles> {
  const filename = basename(outfile);
  const minified = await minify(code, {
    ...SMALLER,
    // With line breaks, because Node prints the line that threw an error.
    format: { max_line_len: 400 },
    sourceMap: { content, filename, url: `${filename}.map` },
  });
  return { [outfile]: `${minified.code}\n`, [`${outfile}.map`]: String(minified.map) };
}

function flattenedTypes(root: string, entry: string): string {
  const [types = ''] = generateDtsBundle(
    [{ filePath: join(root, entry), output: { noBanner: true } }],
    { preferredConfigPath: join(root, 'sdk/tsconfig.json') },
  );
  return types;
}
