// Bundles the server into dist/: Node 20 runs no TypeScript, and one file starts faster than hundreds.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/server');
/** What the bundle is made of. */
const SOURCES = ['contract', 'scanner', 'server', 'package-lock.json'];

/**
 * Bundles what is stale; returns whether there was anything to do.
 * @param out two folders below the root, as the sources are: tests have one of their own.
 */
export async function buildServer(out = OUT) {
  const built = await modifiedAt(join(out, 'main.mjs'));
  const sources = await Promise.all(SOURCES.map((name) => newestIn(join(ROOT, name))));
  if (built > Math.max(...sources)) return false;
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['server/main.ts', 'server/admin.ts', 'server/identity/password-worker.mjs'],
    // Flat, so that what lies two folders up from a source file lies two folders up from the bundle too.
    entryNames: '[name]',
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [{ name: 'packages-stay-outside', setup: keepPackagesOutside }],
  });
  return true;
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
      .filter(({ name }) => name !== 'node_modules')
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
