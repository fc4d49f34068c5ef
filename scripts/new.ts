/** `npm run new -- rule|endpoint|table <name>` writes the files that a new rule, endpoint or table needs; see CONTRIBUTING.md. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scaffold } from '../tools/new/command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

process.exitCode = await scaffold(process.argv.slice(2), {
  root: ROOT,
  now: new Date(),
  async format(files) {
    await run(join(ROOT, 'node_modules/.bin/biome'), ['check', '--write', ...files], { cwd: ROOT });
  },
  print: console.log,
  printError: console.error,
});
