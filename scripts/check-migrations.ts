/**
 * `npm run check:migrations` says what the migrations since the last release do to the version that still runs while they
 * are applied, and fails where they break it or hold it up. With a base (`-- <ref>`) it takes those since that one.
 */
import { fileURLToPath } from 'node:url';
import { checkMigrations } from './migrations/command.ts';

process.exitCode = await checkMigrations(process.argv.slice(2), {
  root: fileURLToPath(new URL('..', import.meta.url)),
  print: console.log,
  printError: console.error,
});
