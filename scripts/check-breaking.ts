/**
 * `npm run check:breaking -- <base openapi.json>` says what has changed for callers since then, of shape and of policy, and
 * fails where something breaks them. `--since-release` takes the document of the last release for the base.
 */
import { fileURLToPath } from 'node:url';
import { checkBreaking } from './breaking/command.ts';

process.exitCode = await checkBreaking(process.argv.slice(2), {
  root: fileURLToPath(new URL('..', import.meta.url)),
  today: new Date().toISOString().slice(0, 10),
  print: console.log,
  printError: console.error,
});
