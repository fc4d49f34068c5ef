// Bundles what is run: Node 20 runs no TypeScript, and one file starts faster than hundreds.
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/server');
/** What the bundles are made of. */
const SERVER_SOURCES = ['contract', 'scanner', 'server', 'package-lock.json'];
const COMMAND_LINE_SOURCES = ['scanner', 'sdk/src', 'cli', 'openapi.json', 'package-lock.json'];

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [{ name: 'packages-stay-outside', setup: keepPackagesOutside }],
};

/** What the server consists of: every program of its own, and what is loaded by name while it runs. */
export const SERVER_PROGRAMS = {
  entryPoints: {
    main: 'server/main.ts',
    admin: 'server/admin.ts',
    'password-worker': 'server/identity/password-worker.mjs',
    'evaluator-child': 'server/custom-rules/evaluator-child.ts',
    tracing: 'server/tracing/preload.ts',
  },
  // Flat, so that what lies two folders up from a source file lies two folders up from the bundle too.
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  splitting: true,
};

/**
 * Bundles what is stale; returns whether there was anything to do.
 * @param out two folders below the root, as the sources are: tests have one of their own.
 */
export async function buildServer(out = OUT) {
  if (await isFresh(join(out, 'main.mjs'), SERVER_SOURCES)) return false;
  await build({
    ...COMMON,
    ...SERVER_PROGRAMS,
    outdir: out,
  });
  return true;
}

/** Bundles the command line where it is stale. */
export async function buildCommandLine() {
  const outfile = join(ROOT, 'cli/dist/cspm.mjs');
  if (await isFresh(outfile, COMMAND_LINE_SOURCES)) return;
  await build({
    ...COMMON,
    entryPoints: ['cli/cspm.ts'],
    outfile,
    banner: { js: '#!/usr/bin/env node' },
  });
  await chmod(outfile, 0o755);
}

async function isFresh(bundle, names) {
  const sources = await Promise.all(names.map((name) => newestIn(join(ROOT, name))));
  return (await modifiedAt(bundle)) > Math.max(...sources);
}

/** Our own workspaces go into the bundle, everything from npm stays in node_modules. */
function keepPackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@cspm/') ? undefined : { path, external: true },
  );
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
