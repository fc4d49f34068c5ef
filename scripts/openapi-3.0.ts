// npm run openapi:3.0 -- <file>: writes openapi.json as OpenAPI 3.0.3, for generators that support no later version.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toOpenApi30 } from '../tools/openapi-3.0.ts';
import { scriptOptions } from '../tools/script-options.ts';

const USAGE = 'npm run openapi:3.0 [-- <file>]';

const { positionals } = scriptOptions(USAGE, { allowPositionals: true });
const [file = 'dist/openapi-3.0.json'] = positionals;
const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(toOpenApi30(document), null, 2)}\n`);
console.log(`Written: ${file}`);
