// npm run export:postman [-- <file>]: a Postman collection (v2.1) of openapi.json.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postmanCollection } from './collections/postman.mjs';
import { installed } from './installed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const file = resolve(process.argv[2] ?? `${ROOT}dist/cspm.postman_collection.json`);

await installed(fileURLToPath(new URL('collections', import.meta.url)));
const document = JSON.parse(await readFile(`${ROOT}openapi.json`, 'utf8'));
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(await postmanCollection(document), null, 2)}\n`);
console.log(`Written: ${file}\nSet its variables baseUrl and apiKey.`);
