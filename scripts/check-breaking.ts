/**
 * `npm run check:breaking -- <base openapi.json>` lists changes of schemas and policies since the base, and fails if
 * one breaks callers. oasdiff compares the shapes as well, if Go is installed. `--since-release` uses the document of the last release as the base.
 */
import { fileURLToPath } from 'node:url';
import { checkBreaking } from '../tools/breaking/command.ts';
import { oasdiff } from '../tools/breaking/oasdiff.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await checkBreaking(process.argv.slice(2), {
  root,
  today: new Date().toISOString().slice(0, 10),
  print: console.log,
  printError: console.error,
  secondOpinion: (base, present) => oasdiff(root, base, present),
});
