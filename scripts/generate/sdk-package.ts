import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { generateDtsBundle } from 'dts-bundle-generator';
import { type BuildOptions, build } from 'esbuild';
import type { GeneratedFiles } from './files.ts';

const ENTRY = 'sdk/src/index.ts';

/**
 * Minified, so that who takes the file as it is gets the size that is promised; the maps carry the source. In lines, since
 * Node prints the one that an error was thrown from.
 */
const COMMON: BuildOptions = {
  entryPoints: [ENTRY],
  bundle: true,
  minify: true,
  lineLimit: 400,
  target: 'es2022',
  sourcemap: 'linked',
  write: false,
  logLevel: 'warning',
};

/**
 * What the SDK's package ships besides its README, by path from the root: the client as ESM and as CommonJS, and its
 * types in one file that imports nothing, once for each. It is made of the sources as they lie on disk. The files are
 * committed (docs/decisions/0016): nothing else makes them when somebody packs the folder.
 */
export async function generateSdkPackage(root: string): Promise<GeneratedFiles> {
  const types = flattenedTypes(root);
  return {
    ...(await bundle(root, { format: 'esm', outfile: 'sdk/dist/index.js' })),
    // For Node, so that the names of the exports stand where an ESM importer of CommonJS looks for them.
    ...(await bundle(root, { format: 'cjs', outfile: 'sdk/dist/index.cjs', platform: 'node' })),
    'sdk/dist/index.d.ts': types,
    'sdk/dist/index.d.cts': types,
    'sdk/LICENSE': await readFile(join(root, 'LICENSE'), 'utf8'),
  };
}

async function bundle(root: string, how: BuildOptions): Promise<GeneratedFiles> {
  const { outputFiles = [] } = await build({ ...COMMON, ...how, absWorkingDir: root });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [relative(root, path), text]));
}

function flattenedTypes(root: string): string {
  const [types = ''] = generateDtsBundle(
    [{ filePath: join(root, ENTRY), output: { noBanner: true } }],
    { preferredConfigPath: join(root, 'sdk/tsconfig.json') },
  );
  return types;
}
