// npm run export:bruno [-- <folder>]: a Bruno collection of openapi.json.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brunoFiles } from './collections/bruno.mjs';
import { installed } from './installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? `${ROOT}dist/bruno`);

await installed(fileURLToPath(new URL('collections', import.meta.url)));
const document = JSON.parse(await readFile(`${ROOT}openapi.json`, 'utf8'));
for (const [path, content] of Object.entries(await brunoFiles(document))) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}
console.log(`Written: ${folder}\nOpen it in Bruno, choose the environment Local, and set apiKey.`);
