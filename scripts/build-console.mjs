// npm run build:console: the web console as static files in dist/console, each with a brotli and a gzip variant.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isFresh } from './build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = join(ROOT, 'console');
const OUT = join(ROOT, 'dist/console');
const SOURCES = ['console', 'sdk/src', 'package-lock.json'];

/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(html|js|css|svg|json|webmanifest)$/;

/**
 * Builds the console where it is stale.
 * @param say is called before a build begins, with one line for the person who waits for it.
 * @returns whether there was anything to do.
 */
export async function buildConsole(say = () => {}) {
  if (await isFresh(join(OUT, 'index.html'), SOURCES)) return false;
  say('Building the console, which takes a few seconds …');
  const { build } = await import('vite');
  // Built aside and moved into place: a server or another build may read the folder meanwhile.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const aside = await mkdtemp(join(ROOT, 'dist/console-'));
  const { NODE_ENV } = process.env;
  try {
    // Tests build too, and Vite would take their NODE_ENV and bundle the development version of React.
    process.env.NODE_ENV = 'production';
    await build({
      root: CONSOLE,
      configFile: join(CONSOLE, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: join(aside, 'new'), emptyOutDir: true },
    });
    await precompress(join(aside, 'new'));
    // A server may read the build that another process has made meanwhile, so that one stays.
    if (!(await isFresh(join(OUT, 'index.html'), SOURCES)))
      await moveBuild(join(aside, 'new'), OUT);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    await rm(aside, { recursive: true, force: true });
  }
  return true;
}

/** Writes `<file>.br` and `<file>.gz` beside each file that compresses. */
export async function precompress(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    await writeFile(`${path}.br`, br);
    await writeFile(`${path}.gz`, gz);
  }
}

/** Puts a build in the place of the one before, which is moved beside it. Another process may do the same at the same moment. */
export async function moveBuild(built, place) {
  const ignore = (code) => (error) => {
    if (error.code !== code) throw error;
  };
  await rename(place, join(dirname(built), 'old')).catch(ignore('ENOENT'));
  // The build of the other process is as good, so it stays.
  await rename(built, place).catch(ignore('ENOTEMPTY'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await buildConsole();
  console.log(built ? `Built ${OUT}.` : `${OUT} is up to date.`);
}
