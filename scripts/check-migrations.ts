/**
 * `npm run check:migrations` lists the effects of the migrations since the last release on the running version, and
 * fails if one breaks or blocks it. With a base (`-- <ref>`) it checks those since that ref.
 */
import { fileURLToPath } from 'node:url';
import { checkMigrations } from '../tools/migrations/command.ts';

process.exitCode = await checkMigrations(process.argv.slice(2), {
  root: fileURLToPath(new URL('..', import.meta.url)),
  print: console.log,
  printError: console.error,
});
