// npm run build: a server in dist/standalone that needs only Node. The npm installation is ten times as large, because
// Prisma alone brings its studio, its engines and TypeScript.
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { addPdfFonts } from './build.mjs';
import { buildConsole } from './build-console.mjs';
import { SERVER_NODE_OPTIONS } from './node-options.mjs';
import { STANDALONE_FILES, standaloneBundle } from './standalone.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/standalone');

await buildConsole();
await rm(OUT, { recursive: true, force: true });
// Two folders below the root of the output, as the sources are.
await build(standaloneBundle(ROOT, join(OUT, 'dist/server')));
for (const file of STANDALONE_FILES) {
  await mkdir(join(OUT, file, '..'), { recursive: true });
  await cp(join(ROOT, file), join(OUT, file), { recursive: true });
}
await addPdfFonts(OUT);
console.log(
  `Built ${OUT}. Start it with: node ${SERVER_NODE_OPTIONS.join(' ')} ${join(OUT, 'dist/server/main.mjs')}`,
);
