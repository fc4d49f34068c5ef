// Part of npm run check: the gzipped size of what a browser loads for a screen of the console, and its limits.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildConsole } from './build-console.mjs';

const OUT = fileURLToPath(new URL('../dist/console/', import.meta.url));
const KB = 1000;

await buildConsole();
const manifest = JSON.parse(await readFile(join(OUT, '.vite/manifest.json'), 'utf8'));
const sizes = new Map();
/** Loaded by itself when a condition is shown. */
const EDITOR = 'src/screens/custom-rules/editor/index.ts';

const shell = ['index.html', 'src/shell/Shell.tsx'];
const signIn = await loaded(['index.html', screen('sign-in')]);
const explorer = await loaded([...shell, screen('findings')]);
const base = await loaded(shell);

check('sign-in, JavaScript', signIn.js, 122 * KB);
check('findings explorer, JavaScript', explorer.js, 165 * KB);
check('findings explorer, style sheets', explorer.css, 10.5 * KB);
for (const [source, chunk] of Object.entries(manifest)) {
  // Other dynamic entries are parts of a screen that are loaded later, such as dialogs.
  if (!chunk.isDynamicEntry || !/^src\/screens\/.*Page\.tsx$/.test(source)) continue;
  if (source === screen('findings') || source === screen('sign-in')) continue;
  if (source === EDITOR) continue;
  const whole = await loaded([...shell, source]);
  check(`${source.split('/')[2]}, JavaScript beyond the shell`, whole.js - base.js, 25 * KB);
}
const editorPage = [...shell, 'src/screens/custom-rules/CustomRulePage.tsx'];
const withEditor = await loaded([...editorPage, EDITOR]);
check('editor of conditions, JavaScript', withEditor.js - (await loaded(editorPage)).js, 116 * KB);

/** The page that a screen's route loads. */
function screen(name) {
  const page = Object.keys(manifest).find(
    (source) => source.startsWith(`src/screens/${name}/`) && source.endsWith('Page.tsx'),
  );
  if (page === undefined) throw new Error(`The build has no page of the screen ${name}`);
  return page;
}

/** The files that a browser loads for these entries, with all that they import at once. */
async function loaded(entries) {
  const chunks = new Set();
  const add = (source) => {
    if (chunks.has(source)) return;
    chunks.add(source);
    for (const imported of manifest[source]?.imports ?? []) add(imported);
  };
  for (const entry of entries) add(entry);
  const files = new Set();
  for (const source of chunks) {
    const { file, css = [] } = manifest[source];
    for (const name of [file, ...css]) files.add(name);
  }
  const total = { js: 0, css: 0 };
  for (const file of files) {
    const kind = file.endsWith('.css') ? 'css' : 'js';
    total[kind] += await sizeOf(file);
  }
  return total;
}

async function sizeOf(file) {
  const known = sizes.get(file) ?? gzipSync(await readFile(join(OUT, file)), { level: 9 }).length;
  sizes.set(file, known);
  return known;
}

function check(name, size, limit) {
  const kilobytes = (bytes) => (bytes / KB).toFixed(1);
  console.log(`console ${name}: ${kilobytes(size)} of at most ${kilobytes(limit)} kB gzipped`);
  if (size > limit) process.exitCode = 1;
}
